// Scenarios for the comparison with the command, from a fixed seed.

function generator(seed) {
  let state = BigInt(seed);
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 11n) / 2 ** 53;
  };
}

const array = (v) => `[${v.map((x) => (Array.isArray(x) ? array(x) : String(x))).join(', ')}]`;

/** A free body as run() takes it, and as a scenario. */
function freeBody(random, method, step, steps, unit = 1) {
  const inertia = [0.2 + 0.8 * random(), 0.2 + 0.8 * random(), 0.2 + 0.8 * random()].map((x) => x * unit);
  const momentum = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1].map((x) => x * unit);
  return request({inertia, momentum, step, steps, method});
}

export function request(r) {
  return {
    request: r,
    toml: `[system]\nkind = "free-body"\ninertia = ${array(r.inertia)}\n[state]\nmomentum = ${array(r.momentum)}\n[method]\nname = "${r.method}"\nstep = ${r.step}\nsteps = ${r.steps}\n`,
  };
}

const coordinates = (name, step, steps, option = '') => ({
  toml: `[system]\nkind = "two-body-sphere"\n[method]\nname = "${name}"\nstep = ${step}\nsteps = ${steps}\n${option}\n`,
});

/** 50 scenarios of methods that call no mathematical library: the same bits are promised. */
export function sameBits() {
  const random = generator(20);
  const all = [];
  const lengths = [0.001, 0.01, 0.03, 0.1, 0.17, 0.5, 1, 3, 10, 100, 1000, -0.1];
  for (const step of lengths) all.push(freeBody(random, 'exact', step, 500));
  for (const unit of [1e-20, 1e19]) all.push(freeBody(random, 'exact', 0.2, 300, unit));
  all.push(request({inertia: [0.345, 0.653, 1], momentum: [0.5, 0.2, 0.84], step: 0.01, steps: 10000, method: 'exact'}));
  all.push(request({inertia: [1, 2, 2.7], momentum: [1e-6, 2, 0], step: 0.05, steps: 10000, method: 'exact'}));
  all.push(request({inertia: [1, 1, 0.5], momentum: [0.1, 0.2, 3], step: 0.1, steps: 1000, method: 'exact'}));
  all.push(request({inertia: [2, 2, 2], momentum: [0.1, 0.2, 3], step: 0.1, steps: 1000, method: 'exact'}));
  all.push(
    request({inertia: [[2, 0.1, 0.2], [0.1, 3, -0.3], [0.2, -0.3, 4]], momentum: [1, 2, 3], step: 0.1, steps: 1000, method: 'exact'}),
  );
  for (const order of [2, 4, 6, 8, 10])
    for (const step of [0.01, 0.04, 0.1]) all.push(freeBody(random, `dmv${order}`, step, 1000));
  for (const step of [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, -0.01, 0.15]) all.push(freeBody(random, 'rk4', step, 1000));
  all.push(coordinates('multistep', 0.001, 2000), coordinates('multistep', 0.002, 2000, 'precision = "double"'));
  all.push(coordinates('multistep', 0.01, 300, 'precision = "double-double"'), coordinates('multistep', 0.003, 1000));
  all.push(coordinates('sy6', 0.001, 1000), coordinates('multistep', 0.001, 1000, 'constraint = "standard"'));
  all.push(coordinates('multistep', 0.005, 1000), coordinates('multistep', 0.0005, 1000));
  return all;
}

/** Scenarios of the other methods: sine and cosine are those of another library here. */
export function fewUlps() {
  const random = generator(21);
  const all = [];
  for (const method of ['frb-matrix', 'frb-quaternion', 'jacobi-standard', 'jacobi-reduced', 'jacobi-kept', 'magnus2', 'magnus4', 'mr'])
    for (const step of [0.01, 0.1, 0.4]) all.push(freeBody(random, method, step, 1));
  all.push({
    toml: '[system]\nkind = "heavy-top"\ninertia = [1.0, 1.0, 0.5]\nfield = [0, 0, 1]\n[state]\nangular_velocity = [0, 0, 10]\nattitude = [0.9689124217106447, 0.24740395925452294, 0, 0]\n[method]\nname = "splitting"\nstep = 0.02\nsteps = 1\n',
  });
  all.push({
    toml: '[system]\nkind = "satellite"\ninertia = [1.0, 2.0, 2.5]\n[system.orbit]\nmean_motion = 1\neccentricity = 0.2\n[state]\nangular_velocity = [0.02, -0.03, 1.05]\n[method]\nname = "splitting"\nstep = 0.1\nsteps = 1\n',
  });
  return all;
}
