// check-pages.mjs PAGE...: built pages (files .html, or folders of them) as a reader sees them, in Debian's chromium. Prints every line that
// breaks a rule.
//
//     1. text has a contrast of 4.5 to its background, large text 3, in the light and in the dark scheme; so have a section and an entry of a
//        reference that a link has led to, which are marked;
//     2. no page is wider than the window at 1400, 900 and 400 px, in both schemes;
//     3. what can be used is reached by the Tab key and shows it: of each page up to 40 of them;
//     4. a page has a title and one first heading, a picture an alternative text, a control a name.
//
// playwright-core is that of the laboratory (make lab).
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const {chromium} = await import(path.join(root, 'lab/node_modules/playwright-core/index.mjs'));

const pagesOf = (place) =>
  fs.statSync(place).isDirectory()
    ? fs
        .readdirSync(place)
        .filter((name) => !['_static', '_sources', '_images', '_downloads'].includes(name))
        .sort()
        .flatMap((name) => pagesOf(path.join(place, name)))
    : place.endsWith('.html')
      ? [place]
      : [];

/** In the page: texts of the marked place, or of the whole page, whose contrast is too small, as sentences, one for each pair of colours. */
function weakTexts() {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const colours = new Map();
  const rgba = (text) => {
    if (!colours.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      colours.set(text, [r, g, b, a / 255]);
    }
    return colours.get(text);
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const light = (c) => {
    const [r, g, b] = c.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const canvasColour = matchMedia('(prefers-color-scheme: dark)').matches && /dark/.test(getComputedStyle(document.documentElement).colorScheme) ? [18, 18, 18] : [255, 255, 255];
  const background = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const style = getComputedStyle(e);
      if (style.backgroundImage !== 'none' && /gradient|url/.test(style.backgroundImage)) return null;
      layers.push(rgba(style.backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), canvasColour);
  };
  const found = new Map();
  const walker = document.createTreeWalker(document.querySelector(':target') ?? document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    if (!text || element.closest('script, style, noscript, svg, [disabled], [aria-hidden="true"]') || !element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const below = background(element);
    if (!below) continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(over(rgba(style.color), below)), light(below)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio >= (large ? 3 : 4.5) - 0.005) continue;
    const key = `${style.color} on rgb(${below.map(Math.round)})`;
    if (!found.has(key)) found.set(key, `contrast ${ratio.toFixed(2)} of ${key}: ${element.tagName.toLowerCase()}.${[...element.classList].join('.')} "${text.slice(0, 40)}"`);
  }
  return [...found.values()];
}

/** In the page: places that links lead to, one of a kind. */
const targets = () => ['section section[id]', 'dt[id]', 'figure[id]'].map((kind) => document.querySelector(kind)?.id).filter((id) => id);

/** In the page: what has no name or no alternative text. */
function nameless() {
  const said = [];
  if (!document.title.trim()) said.push('no title');
  const headings = [...document.querySelectorAll('h1')].length;
  if (headings !== 1 && !location.pathname.endsWith('/search.html')) said.push(`${headings} first headings`);
  for (const image of document.images) if (!image.alt.trim()) said.push(`the picture ${image.src} has no alternative text`);
  for (const e of document.querySelectorAll('button, a[href], input:not([type=hidden]), select, textarea')) {
    const name = e.ariaLabel ?? e.getAttribute('aria-labelledby') ?? '';
    const label = e.labels?.length ? e.labels[0].innerText : '';
    const inside = e.textContent + [...e.querySelectorAll('img')].map((i) => i.alt).join('') + [...e.querySelectorAll('title')].map((t) => t.textContent).join('');
    if (e.checkVisibility() && !(name + label + inside + (e.title ?? '') + (e.placeholder ?? '')).trim()) said.push(`${e.outerHTML.slice(0, 80)} has no name`);
  }
  return said;
}

/** In the page: how the element with the focus looks; and the same without it. */
function focused(blurred) {
  const look = (e) => {
    const s = getComputedStyle(e);
    return [s.outlineStyle === 'none' ? '' : `${s.outlineStyle} ${s.outlineWidth} ${s.outlineColor}`, s.boxShadow, s.backgroundColor, s.textDecorationLine, s.borderColor, s.color].join('|');
  };
  const e = document.activeElement;
  if (!e || e === document.body || e === document.documentElement) return null;
  const after = look(e);
  const labels = [...(e.labels ?? [])].map(look).join();
  e.blur();
  const before = look(e);
  const labelsBefore = [...(e.labels ?? [])].map(look).join();
  e.focus({focusVisible: true});
  const id = (window.focusIds ??= new WeakMap());
  const first = !id.has(e);
  id.set(e, true);
  const box = e.getBoundingClientRect();
  return {shown: after !== before || labels !== labelsBefore, first, what: e.outerHTML.replace(/\s+/g, ' ').slice(0, 90), seen: box.width > 0 && box.height > 0};
}

const places = process.argv.slice(2).flatMap(pagesOf);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--enable-unsafe-swiftshader', '--allow-file-access-from-files'],
});
const complaints = new Map();
const complain = (place, text) => complaints.set(text, [...(complaints.get(text) ?? []), path.relative(root, place)]);
for (const scheme of ['light', 'dark']) {
  const context = await browser.newContext({colorScheme: scheme, reducedMotion: 'reduce', viewport: {width: 1400, height: 900}});
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  for (const place of places) {
    await page.setViewportSize({width: 1400, height: 900});
    await page.goto(pathToFileURL(place).href, {waitUntil: 'load'});
    await page.waitForTimeout(150);
    for (const one of await page.evaluate(weakTexts)) complain(place, `${scheme}: ${one}`);
    if (scheme === 'light') {
      for (const one of await page.evaluate(nameless)) complain(place, one);
      for (let i = 0; i < 40; ++i) {
        await page.keyboard.press('Tab');
        const one = await page.evaluate(focused);
        if (!one || !one.first) break;
        if (!one.shown) complain(place, `the focus does not show: ${one.what}`);
        if (!one.seen) complain(place, `the focus is on what is not seen: ${one.what}`);
      }
    }
    for (const id of await page.evaluate(targets)) {
      await page.evaluate((to) => void (location.hash = to), id);
      for (const one of await page.evaluate(weakTexts)) complain(place, `${scheme}: at #${id}: ${one}`);
    }
    for (const width of [1400, 900, 400]) {
      await page.setViewportSize({width, height: 900});
      await page.waitForTimeout(50);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wide > 1) complain(place, `${scheme}: ${wide} px wider than the window of ${width} px`);
    }
  }
  await context.close();
}
await browser.close();
for (const [text, where] of complaints) console.log(`${where[0]}${where.length > 1 ? ` and ${where.length - 1} more` : ''}: ${text}`);
console.log(`check-pages: ${places.length} pages in two schemes and three widths`);
process.exit(complaints.size === 0 ? 0 : 1);
