// Measurements of the page, for docs/laboratory.md: measure.mjs [MINUTES of play, default 1] [first|frames|steps|memory]
import {command, launch, serve} from './page.mjs';

const minutes = Number(process.argv[2] ?? 1);
const wanted = (part) => process.argv[3] === undefined || process.argv[3] === part;
const server = await serve();
const browser = await launch();
const round = (x, digits = 3) => Number(x.toPrecision(digits));

async function open(hash, options = {}) {
  const context = await browser.newContext({viewport: {width: 1400, height: 900}, ...options});
  const page = await context.newPage();
  await page.goto(`${server.url}${hash}`);
  await page.evaluate(() => window.polhode.ready);
  await page.waitForFunction(() => window.polhode.laboratory.frames > 0);
  return page;
}

// The time from the click on a link to the first picture, and what is loaded for it.
if (wanted('first')) {
  const first = [];
  for (let i = 0; i < 5; ++i) {
    server.bytes = 0;
    const page = await open('');
    first.push(await page.evaluate(() => window.polhode.laboratory.firstFrame));
    if (i === 0) console.log(`loaded: ${server.bytes} bytes`);
    await page.context().close();
  }
  console.log(`first picture: ${first.map((x) => Math.round(x)).join(', ')} ms`);
}

// Frames a second, drawn by software.
for (const [width, height] of wanted('frames') ? [[1400, 900], [900, 800], [400, 800]] : [])
  for (const id of ['wing-nut', 'toutatis']) {
    const page = await open(`#preset=${id}`, {viewport: {width, height}});
    await page.waitForTimeout(1500);
    const rates = await page.evaluate(async () => {
      const result = [];
      for (let i = 0; i < 9; ++i) {
        const before = window.polhode.laboratory.frames, start = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 1000));
        result.push((1000 * (window.polhode.laboratory.frames - before)) / (performance.now() - start));
      }
      return result.sort((x, y) => x - y);
    });
    console.log(`frames a second, ${id} at ${width} px: median of nine seconds ${round(rates[4])}, best ${round(rates[8])}`);
    await page.context().close();
  }

// The time of a step beside that of the command: turn by turn, in pieces that are shorter than what else the machine does, the least
// of many.
const body = (method) =>
  `[system]\nkind = "free-body"\ninertia = [0.345, 0.653, 1.0]\n[state]\nmomentum = [0.5, 0.2, 0.84]\n[method]\nname = "${method}"\nstep = 0.01\nsteps = 20000\n`;
const cases = ['exact', 'dmv10', 'rk4', 'mr', 'magnus4', 'frb-quaternion', 'jacobi-reduced'].map((m) => [m, body(m)]);
cases.push(['multistep', '[system]\nkind = "two-body-sphere"\n[method]\nname = "multistep"\nstep = 0.001\nsteps = 4000\n']);
cases.push([
  'heavy top, splitting',
  '[system]\nkind = "heavy-top"\ninertia = [1.0, 1.0, 0.5]\nfield = [0, 0, 1]\n[state]\nangular_velocity = [0, 0, 10]\n[method]\nname = "splitting"\nstep = 0.02\nsteps = 2000\n',
]);
if (wanted('steps')) {
  const page = await open('', {reducedMotion: 'reduce'});
  for (const [name, toml] of cases) {
    let here = Infinity, native = Infinity;
    for (let i = 0; i < 25; ++i) {
      native = Math.min(native, command(toml).cost.ns_per_step);
      const time = await page.evaluate((text) => {
        const motion = window.polhode.laboratory.core.open(text);
        const {steps} = motion.description;
        let spent = Infinity;
        for (let k = 0; k < 8; ++k) {
          const start = performance.now();
          motion.advance(steps);
          spent = Math.min(spent, performance.now() - start);
        }
        motion.close();
        return (1e6 * spent) / steps;
      }, toml);
      here = Math.min(here, time);
    }
    console.log(`a step of ${name}: ${round(here)} ns here, ${round(native)} ns by the command, ratio ${round(here / native)}`);
  }
  await page.context().close();
}

// Memory while it plays.
if (wanted('memory')) {
  const page = await open(
    '#system=free-body&a=exact&a.step=0.1&b=rk4&b.step=0.1&span=100000&speed=16&shape=asteroid&show=momentum.omega.polhode.herpolhode.trace',
  );
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  for (let i = 0; i <= 5; ++i) {
    if (i > 0) await page.waitForTimeout((minutes * 60_000) / 5);
    await session.send('HeapProfiler.collectGarbage');
    const {metrics} = await session.send('Performance.getMetrics');
    const heap = metrics.find((m) => m.name === 'JSHeapUsedSize').value;
    const wasm = await page.evaluate(() => window.polhode.laboratory.core.exports.memory.buffer.byteLength);
    console.log(`after ${round((minutes * i) / 5)} min: JavaScript ${round(heap / 1e6)} MB, WebAssembly ${round(wasm / 1e6)} MB`);
  }
  await page.context().close();
}

await browser.close();
server.close();
