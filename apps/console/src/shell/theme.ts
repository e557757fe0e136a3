const key = 'lensforge.theme';
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const storedTheme = (): Theme => themes.find((each) => each === localStorage.getItem(key)) ?? 'system';

/** Applies a theme to the page, and stores it when it is given. */
export function applyTheme(theme: Theme = storedTheme()): void {
  localStorage.setItem(key, theme);
  document.documentElement.dataset['theme'] = theme;
}
