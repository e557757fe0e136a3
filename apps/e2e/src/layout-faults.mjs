/** Evaluated in a page: its value is the list of the layout's faults, in words. */
(() => {
  const { document, getComputedStyle } = globalThis;
  const faults = [];
  const { clientWidth, scrollWidth } = document.documentElement;
  const describe = (element) => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    return `${element.tagName.toLowerCase()}${element.className && typeof element.className === 'string' ? `.${element.className.split(' ').join('.')}` : ''} "${text}"`;
  };
  /** The part of an element that its scrolling and hiding ancestors leave visible. */
  const visible = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const shown = { left, right, top, bottom };
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue;
      const frame = at.getBoundingClientRect();
      shown.left = Math.max(shown.left, frame.left);
      shown.right = Math.min(shown.right, frame.right);
      shown.top = Math.max(shown.top, frame.top);
      shown.bottom = Math.min(shown.bottom, frame.bottom);
    }
    return shown;
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
  const controls = all.filter((element) => element.matches('a, button, input, select, textarea, summary'));
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      // The box of a link in a text also has the ends of its lines.
      if ([one, other].some((each) => getComputedStyle(each).display === 'inline')) continue;
      if (one.contains(other) || other.contains(one)) continue;
      const [a, b] = [visible(one), visible(other)];
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 2 && height > 2) faults.push(`cover each other: ${describe(one)} and ${describe(other)}`);
    }
  }
  return [...new Set(faults)];
})();
