import {describe, expect, it} from 'vitest';
import {presets} from '../../src/presets';
import {fromLink, pythonCall, scenario, standardState, steps, systems, toLink} from '../../src/scenario';

describe('scenario', () => {
  it('has a line for each field, and knows which key it is about', () => {
    const {text, keys} = scenario(presets[0]!.state, presets[0]!.state.a);
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(keys.length);
    expect(lines).toContain('inertia = [0.207, 0.333, 0.54]');
    expect(keys[lines.indexOf('inertia = [0.207, 0.333, 0.54]')]).toBe('system.inertia');
    expect(text).not.toContain('momentum ='); // an empty field is no line
  });

  it('keeps a value on its line', () => {
    const state = standardState('free-body');
    state.fields['system.inertia'] = '[1, 2,\n 3]\n[method]';
    expect(scenario(state, state.a).text).toContain('inertia = [1, 2,  3] [method]\n');
  });

  it('has options of the method', () => {
    const state = standardState('heavy-top');
    state.a.options = {scheme: '"strang"', compensated: 'false', free: ''};
    const {text} = scenario(state, state.a);
    expect(text).toContain('scheme = "strang"\ncompensated = false\n');
    expect(text).not.toContain('free');
  });

  it('counts the steps of a span', () => {
    expect(steps('100', '0.1')).toBe(1000);
    expect(steps('10_000', '-0.5')).toBe(20000);
    expect(steps('1', 'x')).toBe(1);
    expect(steps('0.001', '1')).toBe(1);
  });
});

describe('link', () => {
  it('restores every preset and every system', () => {
    for (const state of [...presets.map((p) => p.state), ...systems.map((s) => standardState(s.name))])
      expect(fromLink(`#${toLink(state)}`)).toEqual(state);
  });

  it('restores options, empty fields, one method and a time', () => {
    const state = standardState('free-body');
    state.fields['state.angular_velocity'] = '';
    state.fields['state.momentum'] = '[1, 2, 3]';
    state.a.options = {compensated: 'false'};
    state.b = null;
    state.time = 12.25;
    state.show = [];
    expect(fromLink(toLink(state))).toEqual(state);
  });

  it('refuses what is no state, and mends what is out of range', () => {
    expect(fromLink('')).toBeNull();
    expect(fromLink('#system=nothing')).toBeNull();
    const state = fromLink('#system=free-body&a=exact&speed=-3&t=x&shape=spheres&show=polhode.rubbish')!;
    expect(state.speed).toBe(1);
    expect(state.time).toBe(0);
    expect(state.shape).toBe('box');
    expect(state.show).toEqual(['polhode']);
  });
});

describe('Python', () => {
  it('calls propagate with what the scenario says', () => {
    const state = standardState('heavy-top');
    state.a.options = {compensated: 'false'};
    const text = pythonCall(state, state.a);
    expect(text).toContain('inertia=[1.0, 1.0, 0.5],');
    expect(text).toContain('torque=polhode.UniformField(field=[0, 0, 1], arm=[0, 0, 1])');
    expect(text).toContain('compensated=False');
    expect(text).toContain('method="splitting"');
  });
  it('gives the orbit of a satellite', () => {
    const state = standardState('satellite');
    expect(pythonCall(state, state.a)).toContain('torque=polhode.GravityGradient(mean_motion=1, eccentricity=0)');
  });
});
