// The page in a real browser: every preset, the bits of the command, links, wrong input, keyboard, files.
// browser.mjs [WORDS]: only the tests whose name has these words.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {command, launch, root, serve} from './page.mjs';
import {fewUlps, sameBits} from './scenarios.mjs';

const presets = ['wing-nut', 'racket', 'toutatis', 'lagrange-top', 'satellite', 'two-bodies', 'brouwer'];
const server = await serve();
const browser = await launch();
let failures = 0;

/** A page at an address; what it says on the console or asks of others fails the test. */
async function open(hash, options = {}, base = server.url, file = '') {
  const context = await browser.newContext({viewport: {width: 1100, height: 700}, acceptDownloads: true, ...options});
  context.setDefaultTimeout(180_000); // a machine may have much else to do
  const page = await context.newPage();
  page.said = [];
  page.on('console', (message) => {
    // Reading a picture back, as a screenshot does, is slow in software, and the driver says so.
    if (!message.text().includes('GPU stall due to ReadPixels')) page.said.push(message.text());
  });
  page.on('pageerror', (error) => page.said.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !/^(data|blob):/.test(url)) page.said.push(`asks for ${url}`);
  });
  page.on('requestfailed', (request) => page.said.push(`could not load ${request.url()}`));
  await page.goto(`${base}${file}${hash}`);
  await page.evaluate(() => window.polhode.ready);
  await page.waitForFunction(() => window.polhode.laboratory.frames > 0);
  return page;
}

async function close(page) {
  assert.deepEqual(page.said, []);
  await page.context().close();
}

async function test(name, body) {
  if (!name.includes(process.argv[2] ?? '')) return;
  const start = Date.now();
  try {
    await body();
    console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}: ${error.stack}`);
  }
}

/** The scene as it is on the screen: colours that occur, and a sum over all points. */
async function look(page) {
  const png = (await page.locator('#scene').screenshot()).toString('base64');
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const g = canvas.getContext('2d');
    g.drawImage(image, 0, 0);
    const {data: points} = g.getImageData(0, 0, image.width, image.height);
    const colours = new Set();
    let sum = 0;
    for (let i = 0; i < points.length; i += 4) {
      colours.add((points[i] << 16) | (points[i + 1] << 8) | points[i + 2]);
      sum = (sum * 31 + points[i] + 7 * points[i + 1] + 13 * points[i + 2]) % 2147483647;
    }
    return {colours: colours.size, sum};
  }, png);
}

const numbersOf = (x) => [x].flat(2);

await test('every preset draws, moves, and says nothing on the console', async () => {
  for (const id of presets) {
    const page = await open(`#preset=${id}`, {viewport: {width: 800, height: 600}});
    assert.equal(await page.locator('#preset').inputValue(), id);
    const first = await look(page);
    assert.ok(first.colours > 20, `${id}: the scene has ${first.colours} colours`);
    await page.waitForTimeout(1000);
    let second = await look(page);
    for (let i = 0; i < 20 && second.sum === first.sum; ++i) second = await look(page);
    assert.notEqual(first.sum, second.sum, `${id}: the scene does not move`);
    assert.ok((await page.locator('#text').innerText()).length > 100);
    assert.ok((await page.locator('#charts canvas').count()) >= 2);
    await close(page);
  }
});

const still = {reducedMotion: 'reduce'}; // the machine is for the numbers then

await test('run() gives the bits of the command for 50 scenarios', async () => {
  const page = await open('', still);
  const scenarios = sameBits();
  assert.equal(scenarios.length, 50);
  for (const [i, {request, toml}] of scenarios.entries()) {
    const wanted = command(toml);
    assert.equal(wanted.status, 0, wanted.message);
    const found = await page.evaluate(
      ([r, text]) => (r ? window.polhode.run(r) : window.polhode.runScenario(text)),
      [request ?? null, toml],
    );
    for (const [key, value] of Object.entries(found)) {
      const expected = key === 'energy_error' ? wanted.errors.energy.final : wanted.final[key];
      assert.deepEqual(numbersOf(value), numbersOf(expected), `scenario ${i}, ${key}:\n${toml}`);
    }
    assert.ok('energy_error' in found && ('attitude' in found || 'position' in found));
  }
  await close(page);
});

await test('the other methods agree to 4 units in the last place', async () => {
  const page = await open('', still);
  let worst = 0;
  for (const {toml} of fewUlps()) {
    const wanted = command(toml);
    assert.equal(wanted.status, 0, wanted.message);
    const found = await page.evaluate((text) => window.polhode.runScenario(text), toml);
    for (const key of ['momentum', 'attitude']) {
      // A unit in the last place of the largest component.
      const size = Math.max(...wanted.final[key].map(Math.abs));
      const ulp = 2 ** (Math.floor(Math.log2(size)) - 52);
      for (const [k, x] of found[key].entries()) {
        const distance = Math.abs(x - wanted.final[key][k]) / ulp;
        worst = Math.max(worst, distance);
        assert.ok(distance <= 4, `${key}: ${distance} units\n${toml}`);
      }
    }
  }
  console.log(`        worst: ${worst} units`);
  await close(page);
});

await test('a link restores the state', async () => {
  const page = await open('#preset=racket', still);
  await page.locator('#field-system-inertia').fill('[1.0, 2.5, 3.0]');
  await page.locator('#method-name-b').selectOption('dmv6');
  await page.locator('#shape').selectOption('book');
  await page.waitForTimeout(700);
  await page.locator('#time').fill('12.5');
  await page.waitForTimeout(700);
  const link = await page.evaluate(() => location.hash);
  const state = await page.evaluate(() => window.polhode.laboratory.state);
  assert.equal(state.fields['system.inertia'], '[1.0, 2.5, 3.0]');
  await close(page);
  const again = await open(link);
  assert.deepEqual(await again.evaluate(() => window.polhode.laboratory.state), state);
  assert.equal(await again.locator('#field-system-inertia').inputValue(), '[1.0, 2.5, 3.0]');
  assert.equal(await again.locator('#method-name-b').inputValue(), 'dmv6');
  assert.equal(await again.locator('#clock').innerText(), '12.500');
  await close(again);
});

await test('wrong input: the sentence of the library stands beside the field', async () => {
  const page = await open('#preset=wing-nut', still);
  for (const [text, sentence] of [
    ['[-1.0, 2, 3]', 'a moment of inertia is not positive'],
    ['[1, 2]', 'must be 3 principal moments or a 3x3 tensor, not an array of 2'],
    ['[1, 2, "x"]', 'entry [2] must be a number, not the string "x"'],
    ['one', 'this is not TOML'],
  ]) {
    await page.locator('#field-system-inertia').fill(text);
    await page.locator('#field-system-inertia.wrong').waitFor();
    await page.waitForFunction((s) => document.getElementById('field-system-inertia-message').textContent.includes(s), sentence);
    const refused = command(`[system]\nkind = "free-body"\ninertia = ${text}\n[state]\nmomentum = [1, 2, 3]\n[method]\nname = "exact"\nstep = 0.1\nsteps = 1\n`);
    assert.equal(refused.status, 2);
    assert.ok(refused.message.includes(sentence), refused.message);
  }
  await page.locator('#field-system-inertia').fill('[1, 2, 3]');
  await page.locator('#field-system-inertia:not(.wrong)').waitFor();
  await page.locator('#field-a-method-step').fill('0');
  await page.waitForFunction(() => document.getElementById('field-a-method-step-message').textContent === 'must not be zero');
  await close(page);
  const sentence = await (async () => {
    const other = await open('', still);
    const result = await other.evaluate(() => {
      try {
        window.polhode.run({inertia: [1, 2, 3], momentum: [1, 2, 3], step: 0.1, steps: 10, method: 'exat'});
        return 'nothing';
      } catch (error) {
        return error.message;
      }
    });
    await close(other);
    return result;
  })();
  assert.equal(sentence, 'method.name: there is no method "exat" for a free body; did you mean "exact"?');
});

await test('every width: nothing is wider than the window, the scene follows', async () => {
  const page = await open('#preset=lagrange-top', still);
  for (const width of [1400, 900, 400, 340]) {
    await page.setViewportSize({width, height: 800});
    await page.waitForTimeout(300);
    const [whole, scene, drawn] = await page.evaluate(() => {
      const canvas = document.getElementById('scene');
      return [document.documentElement.scrollWidth, canvas.clientWidth, canvas.width / Math.min(devicePixelRatio, 2)];
    });
    assert.ok(whole <= width, `the page is ${whole} wide in a window of ${width}`);
    assert.ok(scene <= width && Math.abs(scene - drawn) <= 1, `the scene is ${scene} wide, drawn ${drawn}`);
  }
  await close(page);
});

await test('keyboard: play, steps, camera', async () => {
  const page = await open('#preset=wing-nut', still);
  assert.equal(await page.locator('#play').innerText(), 'Play', 'nothing moves where stillness is preferred');
  await page.locator('body').press('Space');
  await page.waitForFunction(() => Number(document.getElementById('clock').textContent) > 0);
  await page.locator('body').press('Space');
  assert.equal(await page.locator('#play').innerText(), 'Play');
  await page.locator('body').press('Home');
  for (let i = 0; i < 3; ++i) await page.locator('body').press('.');
  await page.waitForFunction(() => document.getElementById('clock').textContent === '0.15000');
  await page.locator('body').press(',');
  await page.waitForFunction(() => document.getElementById('clock').textContent === '0.10000');
  await page.waitForTimeout(300);
  const before = await look(page);
  assert.equal(before.sum, (await look(page)).sum, 'what is paused does not move');
  await page.locator('#scene').focus();
  for (let i = 0; i < 4; ++i) await page.locator('#scene').press('ArrowLeft');
  await page.waitForTimeout(300);
  assert.notEqual(before.sum, (await look(page)).sum);
  await close(page);
});

await test('files: rows, picture and scenario', async () => {
  const page = await open('#preset=toutatis');
  await page.waitForFunction(() => Number(document.getElementById('clock').textContent) > 1.2);
  await page.locator('#play').click();
  const save = async (id) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(id).click()]);
    return fs.readFileSync(await download.path());
  };
  const rows = (await save('#save-csv')).toString().split('\n');
  assert.ok(rows[0].startsWith('t,momentum_1,momentum_2,momentum_3,attitude_0,'), rows[0]);
  assert.ok(rows.length > 4);
  assert.equal((await save('#save-png')).subarray(1, 4).toString(), 'PNG');
  const toml = (await save('#save-scenario')).toString();
  const run = command(toml, '--set', 'method.steps=10');
  assert.equal(run.status, 0, run.message);
  // Row 11 of the page is the state of the command after ten steps.
  const fields = rows.find((row) => row.startsWith('1,'))?.split(',').map(Number);
  assert.ok(fields !== undefined, 'the row of time 1');
  assert.deepEqual(fields.slice(1, 4), run.final.momentum);
  assert.deepEqual(fields.slice(4, 8), run.final.attitude);
  await close(page);
});

await test('Brouwer’s law: a million steps, the walk below the drift', async () => {
  const page = await open('#preset=brouwer', still);
  await page.waitForFunction(() => document.getElementById('long-legend').innerText.split('ns a step').length === 4, null, {timeout: 120_000});
  const [walk, drift, increments] = await page.evaluate(() => window.polhode.laboratory.longRunErrors());
  assert.ok(increments < 1e-16 && increments < walk / 10, `increments ${increments}, walk ${walk}`);
  assert.ok(drift > 20 * walk, `walk ${walk}, drift ${drift}`);
  await close(page);
});

await test('the page works as a file, the worker too', async () => {
  const page = await open('#preset=brouwer', still, `file://${root}/out/lab/`, 'index.html');
  await page.waitForFunction(() => window.polhode.laboratory.longRunErrors().length > 0);
  assert.ok((await look(page)).colours > 10);
  await close(page);
});

await test('what is loaded is below 1.5 MB', async () => {
  const before = server.bytes;
  const page = await open('#preset=brouwer', still);
  await page.waitForFunction(() => window.polhode.laboratory.longRunErrors().length > 0);
  await page.waitForTimeout(1000);
  const loaded = server.bytes - before;
  console.log(`        ${loaded} bytes`);
  assert.ok(loaded < 1_500_000, `${loaded} bytes`);
  await close(page);
});

await browser.close();
server.close();
if (!fs.existsSync(`${root}/out/lab/index.html`)) failures = 1;
console.log(failures === 0 ? 'all passed' : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
