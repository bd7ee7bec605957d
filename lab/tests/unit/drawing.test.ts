import {describe, expect, it} from 'vitest';
import {alternative, decades} from '../../src/chart';
import {eccentricAnomaly} from '../../src/scene/orbit';
import {closedPath} from '../../src/scene/stage';
import {boxEdges, inertiaEllipsoid} from '../../src/scene/shapes';
import {tomlValue} from '../../src/script';
import {distance, History, turned, type Series} from '../../src/track';

describe('chart', () => {
  it('has whole decades around the values, at least three', () => {
    expect(decades([2e-9, 3e-4], -22)).toEqual([-9, -3]);
    expect(decades([1e-5], -22)).toEqual([-7, -4]);
    expect(decades([0, NaN], -22)).toEqual([-18, -15]);
    expect(decades([1e-40, 1e-16], -22)[0]).toBe(-22);
  });
  it('says what it shows', () => {
    const curves = [{label: 'exact', color: 'a' as const, dashes: [], x: [1, 2], y: [0, 1.5e-17]}];
    expect(alternative({title: 'energy error', unit: 'relative', xLabel: 'time', curves})).toContain('exact: 1.5e-17');
  });
});

describe('history', () => {
  const series: Series[] = [{name: 'e', title: 'e', unit: '', value: (row) => row[1]!}];
  it('keeps the first steps and thins out the rest', () => {
    const history = new History(series);
    let at = 0;
    while (at < 100_000) {
      history.append(at, new Float64Array([at / 10, 2 * at]));
      at += history.missing(at);
    }
    expect(history.rows.length).toBeLessThan(2400);
    expect(history.rows.length).toBeGreaterThan(1000);
    expect(history.steps.slice(0, 41)).toEqual(Array.from({length: 41}, (_, i) => i));
    expect(history.times).toEqual(history.steps.map((s) => s / 10));
    expect(history.values[0]).toEqual(history.steps.map((s) => 2 * s));
  });
  it('does not take a step twice', () => {
    const history = new History(series);
    for (const step of [0, 1, 2, 1, 2]) history.append(step, new Float64Array([step, 0]));
    expect(history.steps).toEqual([0, 1, 2]);
  });
});

describe('turns', () => {
  it('carries an attitude on', () => {
    const q = turned([1, 0, 0, 0], [0, 0, Math.PI / 2]);
    expect(q[0]).toBeCloseTo(Math.SQRT1_2, 15);
    expect(q[3]).toBeCloseTo(Math.SQRT1_2, 15);
    expect(turned([0.5, 0.5, 0.5, 0.5], [0, 0, 0])).toEqual([0.5, 0.5, 0.5, 0.5]);
  });
  it('measures the angle between attitudes, whatever their sign', () => {
    const pose = (attitude: number[]) => ({attitude, momentum: [], omega: [], position: []});
    expect(distance(pose([1, 0, 0, 0]), pose(turned([1, 0, 0, 0], [0, 1e-9, 0])))).toBeCloseTo(1e-9, 18);
    expect(distance(pose([1, 0, 0, 0]), pose([-1, 0, 0, 0]))).toBe(0);
  });
});

describe('bodies', () => {
  it('are boxes of their moments', () => {
    // 1 x 2 x 3: moments (4 + 9, 1 + 9, 1 + 4)/12, in ascending order 3 x 2 x 1.
    const [x, y, z] = boxEdges([5 / 12, 10 / 12, 13 / 12]);
    expect(y / x).toBeCloseTo(2 / 3, 12);
    expect(z / x).toBeCloseTo(1 / 3, 12);
  });
  it('stay drawable where no mass has the moments', () => {
    for (const edge of boxEdges([0.345, 0.653, 1])) expect(edge).toBeGreaterThan(0.1);
  });
  it('have ellipsoids of inertia, longest about the least moment', () => {
    expect(inertiaEllipsoid([1, 4, 9], 1)).toEqual([1, 0.5, 1 / 3]);
  });
});

it('solves Kepler’s equation', () => {
  for (const e of [0, 0.2, 0.9, 0.99])
    for (let m = -7; m < 7; m += 0.37) {
      const x = eccentricAnomaly(m, e);
      expect(x - e * Math.sin(x)).toBeCloseTo(m % (2 * Math.PI), 12);
    }
});

it('writes numbers that read back', () => {
  expect(tomlValue([1, -0, 1e300, 0.1, [NaN, -Infinity]])).toBe('[1, -0.0, 1e+300, 0.1, [nan, -inf]]');
  expect(() => tomlValue(undefined)).toThrow('this is no value of a scenario');
});

describe('polhode', () => {
  it('is divided where it hurries', () => {
    const at = (t: number): number[] => [Math.tanh(40 * Math.sin(2 * Math.PI * t)), 0.2 * Math.cos(2 * Math.PI * t), 0];
    const path = closedPath(at, 1);
    expect(path.at(-1)![0]).toBeCloseTo(path[0]![0]!, 12);
    expect(path.length).toBeLessThan(800);
    for (let i = 1; i < path.length; ++i) expect(Math.hypot(...path[i]!.map((x, k) => x - path[i - 1]![k]!))).toBeLessThan(0.05);
  });
  it('is a point where there is no period', () => {
    expect(closedPath(() => [1, 0, 0], 0)).toEqual([[1, 0, 0]]);
    expect(closedPath(() => [1, 0, 0], Infinity)).toHaveLength(1);
  });
});
