// Bodies to look at, in their principal axes: x has the least moment, z the greatest.
import {
  BoxGeometry,
  type BufferGeometry,
  type Material,
  CylinderGeometry,
  ConeGeometry,
  Group,
  IcosahedronGeometry,
  Mesh,
  MeshLambertMaterial,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';

type Moments = readonly [number, number, number];

/** The colours of the parts, or one translucent colour for all. */
export class Paint {
  constructor(private readonly ghost: string | null) {}

  material(color: string, opacity = 1): Material {
    if (this.ghost !== null)
      return new MeshLambertMaterial({
        color: this.ghost,
        transparent: true,
        opacity: 0.42 * opacity,
        depthWrite: false,
        // Where the two bodies agree, the second is behind the first and not seen.
        polygonOffset: true,
        polygonOffsetFactor: 4,
        polygonOffsetUnits: 8,
      });
    return new MeshLambertMaterial({color, transparent: opacity < 1, opacity});
  }
}

class Builder {
  readonly group = new Group();
  constructor(private readonly paint: Paint) {}

  add(geometry: BufferGeometry, color: string, place: readonly number[] = [0, 0, 0], opacity = 1): Mesh {
    const mesh = new Mesh(geometry, this.paint.material(color, opacity));
    mesh.position.set(place[0] ?? 0, place[1] ?? 0, place[2] ?? 0);
    this.group.add(mesh);
    return mesh;
  }
  /** A rod from one point to another. */
  rod(from: Vector3, to: Vector3, radius: number, color: string, end = radius): void {
    const mesh = this.add(new CylinderGeometry(end, radius, from.distanceTo(to), 20), color);
    mesh.position.copy(from).add(to).multiplyScalar(0.5);
    mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), to.clone().sub(from).normalize());
  }
}

/** The edges of a homogeneous box with these moments, the longest 2.2; a body that no mass has becomes a flat one. */
export function boxEdges(moments: Moments): [number, number, number] {
  const half = (moments[0] + moments[1] + moments[2]) / 2;
  const squares = moments.map((i) => Math.max(half - i, 0));
  const longest = Math.sqrt(Math.max(...squares, Number.MIN_VALUE));
  const edge = (i: number): number => Math.max((2.2 * Math.sqrt(squares[i] ?? 0)) / longest, 0.12);
  return [edge(0), edge(1), edge(2)];
}

/** The semi-axes of the ellipsoid of inertia, the longest of the given length. */
export function inertiaEllipsoid(moments: Moments, longest: number): [number, number, number] {
  const axis = (i: number): number => longest * Math.sqrt(moments[0] / (moments[i] ?? 1));
  return [longest, axis(1), axis(2)];
}

function ellipsoid(axes: readonly [number, number, number]): BufferGeometry {
  return new SphereGeometry(1, 48, 32).scale(...axes);
}

/** Noise that is the same every time: waves in fixed directions. */
function bumps(v: Vector3): number {
  let sum = 0;
  for (let i = 1; i <= 14; ++i) {
    const a = 2.399 * i, z = Math.sin(1.7 * i);
    const r = Math.sqrt(1 - z * z);
    const frequency = 2 + 0.55 * i;
    sum += Math.sin(frequency * (v.x * r * Math.cos(a) + v.y * r * Math.sin(a) + v.z * z) + i) / frequency;
  }
  return sum;
}

function asteroid(): BufferGeometry {
  const geometry = new IcosahedronGeometry(1, 12);
  const at = geometry.getAttribute('position');
  const v = new Vector3();
  for (let i = 0; i < at.count; ++i) {
    v.fromBufferAttribute(at, i).normalize();
    const waist = 1 - 0.34 * Math.exp(-((v.x - 0.22) ** 2) / 0.05);
    const size = 1 + 0.16 * bumps(v);
    const thin = (v.x > 0.22 ? 0.8 : 1) * waist * size;
    at.setXYZ(i, 1.25 * v.x * size, 0.68 * v.y * thin, 0.56 * v.z * thin);
  }
  geometry.computeVertexNormals();
  return geometry;
}

function racket(b: Builder): void {
  const grip = '#3a3a3a', frame = '#0067a3';
  b.rod(new Vector3(-1.35, 0, 0), new Vector3(-0.55, 0, 0), 0.085, grip);
  b.rod(new Vector3(-0.55, 0, 0), new Vector3(-0.1, 0.22, 0), 0.05, frame);
  b.rod(new Vector3(-0.55, 0, 0), new Vector3(-0.1, -0.22, 0), 0.05, frame);
  const head = b.add(new TorusGeometry(0.5, 0.055, 16, 64), frame, [0.42, 0, 0]);
  head.scale.set(1.22, 1, 1);
  // The faces differ, so that one sees them exchanged.
  for (const [z, color] of [[0.012, '#e2b93b'], [-0.012, '#b9c4cc']] as const) {
    const face = b.add(new CylinderGeometry(0.49, 0.49, 0.016, 48), color, [0.42, 0, z], 0.92);
    face.rotation.x = Math.PI / 2;
    face.scale.set(1.22, 1, 1);
  }
}

function handle(b: Builder): void {
  // Two rods with the masses 1 and 0.6: the moments 0.207, 0.333 and 0.54 of the preset.
  const metal = '#9aa7b1', marked = '#c14a00';
  b.rod(new Vector3(-1, 0.225, 0), new Vector3(0, 0.225, 0), 0.1, metal);
  b.rod(new Vector3(0, 0.225, 0), new Vector3(1, 0.225, 0), 0.1, metal);
  b.add(new SphereGeometry(0.14, 24, 16), marked, [1, 0.225, 0]);
  b.add(new SphereGeometry(0.14, 24, 16), '#0067a3', [-1, 0.225, 0]);
  b.rod(new Vector3(0, 0.225, 0), new Vector3(0, -0.975, 0), 0.1, '#7b8892');
}

function book(b: Builder): void {
  b.add(new BoxGeometry(1.9, 1.3, 0.26), '#f4f0e4', [0.01, 0.03, 0]);
  b.add(new BoxGeometry(2, 1.36, 0.05), '#0067a3', [0, 0, 0.155]);
  b.add(new BoxGeometry(2, 1.36, 0.05), '#c14a00', [0, 0, -0.155]);
  b.add(new BoxGeometry(2, 0.06, 0.36), '#31475a', [0, -0.68, 0]);
}

function water(b: Builder): void {
  // The bond of 0.9572 Å and the angle of 104.52 degrees; the centre of mass at the origin.
  const scale = 1.25, oxygen = 0.0656, hydrogen = 0.5859 - oxygen;
  b.add(new SphereGeometry(0.62, 40, 28), '#c8452e', [0, scale * oxygen, 0]);
  for (const [side, color] of [[1, '#f2f2f2'], [-1, '#b8d4e8']] as const)
    b.add(new SphereGeometry(0.4, 36, 24), color, [side * scale * 0.757, -scale * hydrogen, 0]);
}

function satellite(b: Builder): void {
  b.add(new BoxGeometry(0.9, 0.42, 0.42), '#c9a63a');
  for (const side of [1, -1]) b.add(new BoxGeometry(0.75, 0.06, 0.5), '#2f5f9e', [side * 0.98, 0, 0]);
  const dish = b.add(new ConeGeometry(0.22, 0.2, 28, 1, true), '#e8e8e8', [1.5, 0, 0]);
  dish.rotation.z = Math.PI / 2;
  b.add(new SphereGeometry(0.08, 16, 12), '#c14a00', [-1.42, 0, 0]);
}

/** A body of that name. */
export function shape(name: string, moments: Moments, paint: Paint): Group {
  const b = new Builder(paint);
  switch (name) {
    case 'ellipsoid':
      b.add(ellipsoid(inertiaEllipsoid(moments, 1.25)), '#5d8fb5');
      break;
    case 'racket':
      racket(b);
      break;
    case 't-handle':
      handle(b);
      break;
    case 'book':
      book(b);
      break;
    case 'asteroid':
      b.add(asteroid(), '#9c9287');
      break;
    case 'water':
      water(b);
      break;
    case 'satellite':
      satellite(b);
      break;
    default: {
      const [x, y, z] = boxEdges(moments);
      b.add(new BoxGeometry(x, y, z), '#5d8fb5');
      b.add(new BoxGeometry(x * 1.002, y * 0.16, z * 1.004), '#e2b93b');
      b.add(new BoxGeometry(0.04 * x, y * 1.004, z * 1.004), '#c14a00', [0.48 * x, 0, 0]);
    }
  }
  return b.group;
}

/** A top on its tip, which is the origin, along the z axis. */
export function spinningTop(paint: Paint): Group {
  const b = new Builder(paint);
  b.rod(new Vector3(0, 0, 0), new Vector3(0, 0, 0.75), 0.02, '#c14a00', 0.62);
  b.rod(new Vector3(0, 0, 0.75), new Vector3(0, 0, 0.95), 0.62, '#5d8fb5', 0.5);
  b.rod(new Vector3(0, 0, 0.95), new Vector3(0, 0, 1.5), 0.06, '#3a3a3a');
  // A mark, without which one would not see it spin.
  b.add(new BoxGeometry(0.5, 0.1, 0.03), '#e2b93b', [0.26, 0, 0.955]);
  return b.group;
}
