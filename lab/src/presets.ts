// Motions worth looking at, with a paragraph each.
import {standardState, type PageState, type SystemName} from './scenario';

export interface Preset {
  id: string;
  title: string;
  text: string;
  longRun?: boolean;
  state: PageState;
}

function preset(
  id: string,
  title: string,
  system: SystemName,
  change: Partial<PageState>,
  text: string,
  longRun = false,
): Preset {
  const base = standardState(system);
  const state = {...base, ...change, fields: {...base.fields, ...change.fields}, preset: id};
  return {id, title, text, longRun, state};
}

export const presets: Preset[] = [
  preset(
    'wing-nut',
    'The wing nut of the space station',
    'free-body',
    {
      fields: {'system.inertia': '[0.207, 0.333, 0.54]', 'state.angular_velocity': '[0.002, 3.0, 0.0]'},
      a: {name: 'exact', step: '0.05', options: {}},
      b: {name: 'rk4', step: '0.05', options: {}},
      span: '120',
      speed: 2,
      shape: 't-handle',
    },
    'In 1985 Vladimir Dzhanibekov saw a wing nut fly off its thread in orbit, turn over, and turn over again. Nothing pushes it: it spins about the axis of ' +
      'its middle moment, and that spin is unstable. The angular velocity moves along a curve on the ellipsoid, the polhode, which passes close to the axis and then leads round ' +
      'to its opposite. The momentum (the fixed arrow) never moves. The moments are those of the T in the picture, made of two rods.',
  ),
  preset(
    'racket',
    'The tennis racket',
    'free-body',
    {
      fields: {'system.inertia': '[1.0, 2.0, 2.7]', 'state.angular_velocity': '[1e-6, 1.0, 0.0]'},
      a: {name: 'exact', step: '0.25', options: {}},
      b: {name: 'mr', step: '0.25', options: {}},
      span: '300',
      speed: 4,
      shape: 'racket',
    },
    'A racket that is thrown up with its head turning over the handle comes back with its faces exchanged. Here it starts within a millionth of the unstable axis and needs a while to ' +
      'leave it: the nearer, the longer, and the more digits a method must keep. The splitting of McLachlan and Reich (in the second colour) keeps the size of the momentum, and yet turns ' +
      'over at another time; the closed form is right to the last digit after any number of turns.',
  ),
  preset(
    'toutatis',
    'Toutatis, an asteroid that tumbles',
    'free-body',
    {
      fields: {
        'system.inertia': '[1.0, 3.0836, 3.235]',
        'state.angular_velocity': '[-1.722797051351, 0.253247274464, 0.585191444901]',
      },
      a: {name: 'exact', step: '0.1', options: {}},
      b: {name: 'magnus2', step: '0.1', options: {}},
      span: '200',
      speed: 2,
      shape: 'asteroid',
      show: ['momentum', 'omega', 'polhode', 'herpolhode', 'trace'],
    },
    'The asteroid (4179) Toutatis, 4.6 km long, has no day: it turns about its long axis in 5.4 days while that axis goes round the momentum in 7.4 days, and the two never fit together. ' +
      'Time is in days. The state is that of 9 November 1992 by Takahashi, Busch and Scheeres (2013), from radar; the moments have the ratios 1 : 3.0836 : 3.235.',
  ),
  preset(
    'lagrange-top',
    'Lagrange’s top',
    'heavy-top',
    {
      a: {name: 'splitting', step: '0.05', options: {}},
      b: {name: 'rk4', step: '0.05', options: {}},
      span: '200',
      speed: 1,
      shape: 'top',
      show: ['momentum', 'omega', 'trace'],
    },
    'A fast symmetric top on its tip does not fall: its axis goes round the vertical, with small nods, whose path is drawn. Three things are conserved, the energy and the momentum about the ' +
      'vertical and about the axis, and the last of them stays to the bit. A splitting into exact free motion and kicks of gravity keeps the second to the rounding of the numbers and the first within bounds, while the method of Runge and Kutta lets both of them drift.',
  ),
  preset(
    'satellite',
    'A satellite that flips',
    'satellite',
    {
      fields: {'system.inertia': '[0.4, 0.9, 1.0]', 'state.angular_velocity': '[0.002, 0.004, 2.22]'},
      a: {name: 'splitting', step: '0.05', options: {}},
      b: {name: 'rk4', step: '0.05', options: {}},
      span: '300',
      speed: 2,
      shape: 'satellite',
      show: ['omega', 'trace'],
    },
    'The near side of a long satellite is pulled more than the far side, which holds its long axis upright, as it holds one face of the Moon to the Earth. This one was given almost the swing that carries it over the top: ' +
      'it hangs there, and whether it falls back or flips depends on the smallest disturbance. A unit of time is a radian of the circular orbit. The Jacobi integral is conserved, by the method or not at all.',
  ),
  preset(
    'two-bodies',
    'Two bodies on a sphere',
    'two-body-sphere',
    {
      a: {name: 'multistep', step: '0.002', options: {}},
      b: {name: 'rattle', step: '0.002', options: {}},
      span: '100',
      speed: 1,
      shape: 'spheres',
      show: ['trace'],
    },
    'Two masses that attract each other and cannot leave a sphere: Kepler’s problem for beings of two dimensions. A symmetric multistep method of order 8 and RATTLE take the same steps; energy, angular momentum and the ' +
      'constraints are followed in extended precision.',
  ),
  preset(
    'brouwer',
    'Brouwer’s law: a million steps',
    'free-body',
    {
      fields: {'system.inertia': '[0.345, 0.653, 1.0]', 'state.angular_velocity': '', 'state.momentum': '[0.5, 0.2, 0.84]'},
      a: {name: 'jacobi-reduced', step: '0.01', options: {}},
      b: {name: 'jacobi-standard', step: '0.01', options: {}},
      span: '10000',
      speed: 2,
      shape: 'water',
      show: ['momentum', 'omega', 'polhode'],
    },
    'Rounding errors that are independent add up as a random walk, with the root of the time; a rounding that is the same in every step makes a drift, with the time itself. In 1937 Dirk Brouwer told the two apart. Below, a worker takes a million ' +
      'steps of the water molecule by two formulas of the same exact solution, and by the increment form whose sums carry their rounding errors: it stays below both.',
    true,
  ),
];
