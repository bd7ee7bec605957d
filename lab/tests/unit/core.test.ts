// The core in WebAssembly, without a browser.
import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import {Core, LibraryError} from '../../src/core';
import {presets} from '../../src/presets';
import {scenario, standardState, systems} from '../../src/scenario';
import {run, runScenario} from '../../src/script';
import {Track} from '../../src/track';

let core: Core;
beforeAll(async () => {
  const bytes = readFileSync(new URL('../../generated/polhode.bin', import.meta.url));
  core = await Core.from(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
});

function refusal(work: () => unknown): LibraryError {
  try {
    work();
  } catch (error) {
    if (error instanceof LibraryError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const water = {inertia: [0.345, 0.653, 1], momentum: [0.5, 0.2, 0.84], step: 0.01, steps: 100};

describe('the core', () => {
  it('lists the systems and methods of the page', () => {
    const {systems: listed, methods} = core.catalogue();
    for (const system of systems) {
      expect(listed.map((s) => s.name)).toContain(system.name);
      const names = methods.filter((m) => m.systems.includes(system.name)).map((m) => m.name);
      expect(names).toContain(system.methodA);
      expect(names).toContain(system.methodB);
    }
  });

  it('takes every preset and every system as it stands', () => {
    for (const state of [...presets.map((p) => p.state), ...systems.map((s) => standardState(s.name))])
      for (const method of [state.a, state.b!]) {
        const motion = core.open(scenario(state, method).text);
        motion.advance(5);
        expect(Array.from(motion.look()).every(Number.isFinite)).toBe(true);
        motion.close();
      }
  });

  it('refuses with the sentence, the key or the line', () => {
    const error = refusal(() => run(core, {...water, method: 'exact', inertia: [1, 2, -3]}));
    expect(error.key).toBe('system.inertia');
    expect(error.reason).toBe('a moment of inertia is not positive');
    expect(refusal(() => core.open('[system]\nkind = \n')).line).toBe(2);
    // Thrown, caught and thrown again inside: nothing of it is left behind.
    for (let i = 0; i < 2000; ++i) refusal(() => run(core, {...water, method: 'exact', inertia: [1, 2, -3]}));
    expect(run(core, {...water, method: 'exact'}).momentum).toHaveLength(3);
  });

  it('leaves a motion whole when a step cannot be taken', () => {
    const motion = core.open(
      '[system]\nkind = "two-body-sphere"\n[method]\nname = "rattle"\nstep = 3.0\nsteps = 10\n',
    );
    const before = motion.look();
    expect(refusal(() => motion.advance(3)).message).toContain('the step is too large');
    expect(motion.look()).toEqual(before);
    expect(motion.steps).toBe(0);
    motion.close();
  });

  it('gives the same bits however the steps are divided, and on the way back', () => {
    for (const method of ['exact', 'dmv6', 'rk4', 'mr']) {
      const text = `[system]\nkind = "free-body"\ninertia = [1, 2, 2.7]\n[state]\nmomentum = [0.1, 2, 0]\n[method]\nname = "${method}"\nstep = 0.05\nsteps = 30000\n`;
      const once = core.open(text);
      const parts = core.open(text);
      once.advance(30000);
      for (const piece of [1, 63, 64, 65, 9807, 20000]) parts.advance(piece);
      expect(parts.look()).toEqual(once.look());
      const end = once.look();
      once.goBack(12345);
      expect(once.steps).toBeLessThanOrEqual(12345);
      expect(12345 - once.steps).toBeLessThan(512);
      once.advance(30000 - once.steps);
      expect(once.look()).toEqual(end);
      once.close();
      parts.close();
    }
  });

  it('has the closed form at any time', () => {
    const track = new Track(core.open(scenario(presets[1]!.state, {name: 'exact', step: '0.25', options: {}}).text));
    track.moveTo(400, 10_000);
    const s = track.motion.exact(100);
    const attitude = track.motion.numbers(track.row, 'attitude');
    const sign = Math.sign(attitude[0]! * s.attitude[0]!);
    attitude.forEach((x, i) => expect(Math.abs(sign * x - s.attitude[i]!)).toBeLessThan(1e-13));
    expect(track.largest.get('attitude_error')).toBeLessThan(1e-13);
    expect(track.largest.get('energy_error')).toBeLessThan(1e-17);
    track.moveTo(100, 10_000);
    expect(track.time).toBe(25);
    expect(track.history.lastStep).toBe(400);
    expect(track.csv().split('\n')[0]).toBe(
      't,momentum_1,momentum_2,momentum_3,attitude_0,attitude_1,attitude_2,attitude_3,angular_velocity_1,angular_velocity_2,angular_velocity_3,' +
        'angular_velocity_in_space_1,angular_velocity_in_space_2,angular_velocity_in_space_3,energy_error,momentum_norm_error,' +
        'spatial_momentum_error_1,spatial_momentum_error_2,spatial_momentum_error_3,constraint,attitude_error',
    );
    track.motion.close();
  });

  it('stops where the state is not finite any more, and keeps what was', () => {
    const track = new Track(core.open(scenario(standardState('free-body'), {name: 'rk4', step: '30', options: {}}).text.replace(/steps = .*/, 'steps = 100')));
    expect(track.moveTo(100, 10_000)).toBe(true);
    expect(track.failure).toMatch(/^the state is not finite after step \d+$/);
    expect(Array.from(track.row.subarray(0, 8)).every(Number.isFinite)).toBe(true);
    expect(track.moveTo(100, 1)).toBe(true);
    expect(track.moveTo(1, 1000)).toBe(true);
    expect(track.failure).toBe('');
    expect(track.time).toBe(30);
    track.motion.close();
  });

  it('runs systems in coordinates', () => {
    const result = runScenario(core, '[system]\nkind = "two-body-sphere"\n[method]\nname = "multistep"\nstep = 0.001\nsteps = 1000\n');
    expect(result['position']).toHaveLength(6);
    expect(Math.abs(result['energy_error'] as number)).toBeLessThan(1e-13);
  });
});
