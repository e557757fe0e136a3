/* global document, localStorage, location, matchMedia, navigator */
import MiniSearch from 'minisearch';

const home = new URL('..', import.meta.url);

/** The list of pages is open beside the text, and closed above it on a narrow screen. */
function openPages() {
  const pages = document.querySelector('.pages');
  if (!pages) return;
  const wide = matchMedia('(min-width: 50.01rem)');
  const follow = () => (pages.open = wide.matches);
  wide.addEventListener('change', follow);
  follow();
  pages.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

function addCopyButtons() {
  for (const block of document.querySelectorAll('pre')) {
    const code = document.createElement('div');
    code.className = 'code';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const copied = await navigator.clipboard.writeText(block.textContent).then(
        () => true,
        () => false,
      );
      button.textContent = copied ? 'Copied' : 'Not allowed';
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
    block.replaceWith(code);
    code.append(block, button);
  }
}

/** Shows one of the languages of a program, that which the reader chose last. */
function addLanguageTabs() {
  // Browsers can refuse to store anything.
  const stored = {
    key: 'documentation-language',
    read() {
      try {
        return localStorage.getItem(this.key);
      } catch {
        return null;
      }
    },
    write(name) {
      try {
        localStorage.setItem(this.key, name);
      } catch {
        // The choice then lasts for this page.
      }
    },
  };
  const groups = [...document.querySelectorAll('.languages')].map((group) => {
    const names = group.dataset.names.split(',');
    const tabs = names.map((name) => element('button', { type: 'button', textContent: name }));
    return { blocks: [...group.children], bar: element('p', { className: 'tabs' }, ...tabs), group, names, tabs };
  });
  const choose = (name) => {
    for (const { blocks, names, tabs } of groups) {
      const shown = Math.max(0, names.indexOf(name));
      blocks.forEach((block, at) => (block.hidden = at !== shown));
      tabs.forEach((tab, at) => tab.setAttribute('aria-pressed', String(at === shown)));
    }
  };
  for (const { bar, group, names, tabs } of groups) {
    group.prepend(bar);
    tabs.forEach((tab, at) =>
      tab.addEventListener('click', () => {
        stored.write(names[at]);
        choose(names[at]);
        bar.scrollIntoView({ block: 'nearest' });
      }),
    );
  }
  choose(stored.read());
}

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** A dialog with a field and a list of results, for keyboard and pointer. */
class Search {
  #index;
  #selected = 0;
  #results = [];
  #field = element('input', { type: 'text', placeholder: 'Search the documentation', autocomplete: 'off' });
  #list = element('ul', { id: 'results', role: 'listbox', ariaLabel: 'Results' });
  #status = element('p', { role: 'status' });
  #dialog = element('dialog', { ariaLabel: 'Search' }, this.#field, this.#list, this.#status);

  constructor() {
    this.#field.setAttribute('aria-label', 'Search the documentation');
    this.#field.setAttribute('role', 'combobox');
    this.#field.setAttribute('aria-controls', 'results');
    this.#field.setAttribute('aria-expanded', 'false');
    this.#list.hidden = true;
    this.#field.addEventListener('input', () => this.#find());
    this.#field.addEventListener('keydown', (event) => this.#press(event));
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
    document.body.append(this.#dialog);
  }

  async open() {
    if (this.#dialog.open) return;
    this.#dialog.showModal();
    this.#field.select();
    this.#index ??= load();
    await this.#find();
  }

  async #find() {
    const words = this.#field.value;
    try {
      const index = await this.#index;
      if (words !== this.#field.value) return;
      this.#results = index.search(words, options).slice(0, 12);
      const none = words.trim() === '' ? 'Type a word, such as webhook.' : 'No page has these words.';
      this.#status.textContent = this.#results.length > 0 ? `${this.#results.length} results` : none;
    } catch (error) {
      this.#index = undefined;
      this.#status.textContent = `The search index could not be loaded: ${error.message}`;
    }
    this.#selected = 0;
    this.#show();
  }

  #show() {
    const items = this.#results.map(({ title, page, excerpt, url }, at) => {
      const item = element('li', { id: `result-${at}`, role: 'option', ariaSelected: String(at === this.#selected) });
      item.append(title === page ? title : `${page}: ${title}`, element('small', { textContent: excerpt }));
      item.addEventListener('click', () => this.#go(url));
      return item;
    });
    this.#list.replaceChildren(...items);
    this.#list.hidden = items.length === 0;
    this.#field.setAttribute('aria-expanded', String(items.length > 0));
    if (items.length > 0) this.#field.setAttribute('aria-activedescendant', `result-${this.#selected}`);
    else this.#field.removeAttribute('aria-activedescendant');
    items[this.#selected]?.scrollIntoView({ block: 'nearest' });
  }

  #press(event) {
    const count = this.#results.length;
    if (count === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.#selected = (this.#selected + step + count) % count;
      this.#show();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#go(this.#results[this.#selected].url);
    }
  }

  #go(url) {
    this.#dialog.close();
    location.assign(new URL(url, home));
  }
}

const options = {
  prefix: true,
  fuzzy: (word) => (word.length > 4 ? 0.2 : false),
  combineWith: 'AND',
  boost: { title: 4, page: 2 },
  boostDocument: (_id, _word, { weight }) => weight,
};

async function load() {
  const response = await fetch(new URL('assets/search.json', home));
  if (!response.ok) throw new Error(`status ${response.status}`);
  const fields = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'url', 'excerpt', 'weight'] };
  return MiniSearch.loadJSON(await response.text(), fields);
}

openPages();
addCopyButtons();
addLanguageTabs();
const search = new Search();
const button = document.querySelector('#search');
button.hidden = false;
button.addEventListener('click', () => search.open());
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, [contenteditable]');
  const isSlash = event.key === '/' && !isTyping;
  const isCommand = event.key === 'k' && (event.ctrlKey || event.metaKey);
  if (!isSlash && !isCommand) return;
  event.preventDefault();
  search.open();
});
