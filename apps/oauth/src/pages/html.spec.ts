import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';

describe('the html template', () => {
  it('escapes inserted values only', () => {
    const name = `<img src=x onerror="alert('1')">&\``;
    expect(html`<p title="${name}">${name}</p>`.toString()).toBe(
      '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;&#96;">&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;&#96;</p>',
    );
  });

  it('inserts Html values unchanged, joins lists and omits false and undefined', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(html`${items}${undefined}${null}${false}${0}`.toString()).toBe('<li>a</li><li>&lt;b&gt;</li>0');
  });

  it('does not expand placeholders in inserted values', () => {
    expect(html`${'${1+1} $& $1'}`.toString()).toBe('${1+1} $&amp; $1');
  });
});
