/** Evaluated in a page: its value is the list of the layout's faults, in words. */
(() => {
  const { document, getComputedStyle } = globalThis;
  const faults = [];
  const { clientWidth, scrollWidth } = document.documentElement;
  const describe = (element) => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    return `${element.tagName.toLowerCase()}${element.className && typeof element.className === 'string' ? `.${element.className.split(' ').join('.')}` : ''} "${text}"`;
  };
  const within = (one, other) => ({
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top),
    bottom: Math.min(one.bottom, other.bottom),
  });
  const frames = new Map();
  /** The part of the page in which the children of an element are visible; undefined without a limit. */
  const frameOf = (element) => {
    if (!element || element === document.body) return undefined;
    if (!frames.has(element)) {
      const outer = frameOf(element.parentElement);
      const own = getComputedStyle(element).overflow === 'visible' ? undefined : element.getBoundingClientRect();
      frames.set(element, outer && own ? within(outer, own) : (outer ?? own));
    }
    return frames.get(element);
  };
  /** The part of an element that its scrolling and hiding ancestors leave visible. */
  const visible = (element) => {
    const frame = frameOf(element.parentElement);
    const own = element.getBoundingClientRect();
    return frame ? within(own, frame) : own;
  };
  const isShown = (element) => {
    const { left, right, top, bottom } = visible(element);
    return (
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      right - left > 1 &&
      bottom - top > 1
    );
  };
  const all = [...document.body.querySelectorAll('*')].filter(
    (element) => !element.closest('svg, .skip, .react-flow') && isShown(element),
  );
  if (scrollWidth > clientWidth) {
    const wide = all.filter((element) => visible(element).right > clientWidth + 1);
    // The last one in the document is the innermost.
    const [culprit] = wide.slice(-1);
    faults.push(`${scrollWidth - clientWidth} px wider than the window${culprit ? `: ${describe(culprit)}` : ''}`);
  }
  for (const element of all) {
    const { overflowX, textOverflow } = getComputedStyle(element);
    const ownsText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    if (!ownsText || element.scrollWidth <= element.clientWidth + 1 || element.clientWidth === 0) continue;
    if (['hidden', 'clip'].includes(overflowX) && textOverflow !== 'ellipsis')
      faults.push(`cut off: ${describe(element)}`);
    if (overflowX === 'visible' && getComputedStyle(element).display !== 'inline')
      faults.push(`text outside: ${describe(element)}`);
  }
  const controls = all
    .filter((element) => element.matches('a, button, input, select, textarea, summary'))
    // The box of a link in a text also has the ends of its lines.
    .filter((element) => getComputedStyle(element).display !== 'inline')
    .map((element) => ({ element, box: visible(element) }));
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      const { left, right, top, bottom } = within(one.box, other.box);
      if (right - left <= 2 || bottom - top <= 2) continue;
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      faults.push(`cover each other: ${describe(one.element)} and ${describe(other.element)}`);
    }
  }
  return [...new Set(faults)];
})();
