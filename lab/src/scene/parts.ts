// Arrows, curves and trails of the scene.
import {
  BufferAttribute,
  BufferGeometry,
  CatmullRomCurve3,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  TubeGeometry,
  Vector3,
} from 'three';

export class Arrow {
  readonly object = new Group();
  private readonly shaft: Mesh;
  private readonly head: Mesh;
  private readonly material = new MeshLambertMaterial();
  private readonly up = new Vector3(0, 1, 0);

  constructor(radius: number) {
    this.shaft = new Mesh(new CylinderGeometry(radius, radius, 1, 14), this.material);
    this.head = new Mesh(new ConeGeometry(3 * radius, 8 * radius, 18), this.material);
    this.headLength = 8 * radius;
    this.object.add(this.shaft, this.head);
  }
  private readonly headLength: number;

  setColor(color: string): void {
    this.material.color.set(color);
  }
  point(v: Vector3): void {
    const length = v.length();
    this.object.visible = length > 1e-6;
    if (!this.object.visible) return;
    const shaft = Math.max(length - this.headLength, 1e-3);
    this.shaft.scale.set(1, shaft, 1);
    this.shaft.position.set(0, shaft / 2, 0);
    this.head.position.set(0, shaft + this.headLength / 2, 0);
    this.object.quaternion.setFromUnitVectors(this.up, v.clone().divideScalar(length));
  }
}

/** A curve of given points, thick enough to be seen. */
export class Curve {
  private readonly material = new MeshBasicMaterial();
  readonly object = new Mesh(new BufferGeometry(), this.material);

  setColor(color: string): void {
    this.material.color.set(color);
  }
  setPoints(points: Vector3[], radius: number): void {
    this.object.geometry.dispose();
    this.object.geometry = new TubeGeometry(new CatmullRomCurve3(points), 2 * points.length, radius, 6);
  }
}

/** The last points of a path, the older the fainter. Its memory is used again. */
export class Trail {
  private readonly positions: Float32Array;
  private readonly colors: Float32Array;
  private readonly geometry = new BufferGeometry();
  readonly object: Line;
  private count = 0;
  private readonly bright = new Color();
  private readonly faint = new Color();

  constructor(private readonly capacity: number) {
    this.positions = new Float32Array(3 * capacity);
    this.colors = new Float32Array(3 * capacity);
    this.geometry.setAttribute('position', new BufferAttribute(this.positions, 3));
    this.geometry.setAttribute('color', new BufferAttribute(this.colors, 3));
    this.object = new Line(this.geometry, new LineBasicMaterial({vertexColors: true}));
    this.object.frustumCulled = false;
  }
  setColor(color: string, background: string): void {
    this.bright.set(color);
    this.faint.set(background);
    this.paint();
  }
  clear(): void {
    this.count = 0;
    this.geometry.setDrawRange(0, 0);
  }
  push(p: Vector3): void {
    const last = 3 * (this.count - 1);
    if (
      this.count > 0 &&
      Math.hypot(p.x - this.positions[last]!, p.y - this.positions[last + 1]!, p.z - this.positions[last + 2]!) < 1e-3
    )
      return;
    if (this.count === this.capacity) this.positions.copyWithin(0, 3);
    else ++this.count;
    this.positions.set([p.x, p.y, p.z], 3 * (this.count - 1));
    this.geometry.getAttribute('position').needsUpdate = true;
    this.geometry.setDrawRange(0, this.count);
    this.paint();
  }
  private paint(): void {
    const {bright, faint} = this;
    for (let i = 0; i < this.count; ++i) {
      const x = 0.22 + 0.78 * ((i + 1) / this.count) ** 1.2;
      this.colors[3 * i] = faint.r + x * (bright.r - faint.r);
      this.colors[3 * i + 1] = faint.g + x * (bright.g - faint.g);
      this.colors[3 * i + 2] = faint.b + x * (bright.b - faint.b);
    }
    this.geometry.getAttribute('color').needsUpdate = true;
  }
}

export function translucent(color: string, opacity: number): MeshBasicMaterial {
  return new MeshBasicMaterial({color, transparent: true, opacity, depthWrite: false, side: DoubleSide, forceSinglePass: true});
}

/** Gives the memory of what was drawn back to the machine. */
export function dispose(object: Object3D): void {
  object.traverse((part) => {
    if (part instanceof Mesh || part instanceof Line) {
      part.geometry.dispose();
      for (const material of [part.material].flat()) material.dispose();
    }
  });
  object.removeFromParent();
}
