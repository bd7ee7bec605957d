// Colours that people with any kind of colour vision tell apart (after Okabe and Ito), for both backgrounds.

export interface Palette {
  background: string;
  text: string;
  faint: string;
  grid: string;
  a: string;
  b: string;
  c: string;
  momentum: string;
  omega: string;
}

const light: Palette = {
  background: '#ffffff',
  text: '#1a1a1a',
  faint: '#555555',
  grid: '#dcdcdc',
  a: '#0067a3',
  b: '#c14a00',
  c: '#00694b',
  momentum: '#7a3d8f',
  omega: '#8a6d00',
};

const dark: Palette = {
  background: '#14171a',
  text: '#e8e8e8',
  faint: '#a8adb2',
  grid: '#353b41',
  a: '#62b6ea',
  b: '#ee9344',
  c: '#4cc79a',
  momentum: '#d59be8',
  omega: '#e6cf4f',
};

const darkness = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

export function palette(): Palette {
  return darkness().matches ? dark : light;
}

export function onPaletteChange(listener: () => void): void {
  darkness().addEventListener('change', listener);
}

export function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
