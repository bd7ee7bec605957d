// The orbit of a satellite, for the eye: a planet, the ellipse, the radius.
import {BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshLambertMaterial, SphereGeometry, Vector3} from 'three';
import {palette} from '../palette';

/** The eccentric anomaly of a mean anomaly. */
export function eccentricAnomaly(mean: number, eccentricity: number): number {
  const m = mean % (2 * Math.PI);
  let x = eccentricity < 0.8 ? m : Math.PI * Math.sign(m || 1);
  for (let i = 0; i < 30; ++i) {
    const change = (x - eccentricity * Math.sin(x) - m) / (1 - eccentricity * Math.cos(x));
    x -= change;
    if (Math.abs(change) < 1e-14) break;
  }
  return x;
}

export class Orbit {
  readonly object = new Group();
  private readonly eccentricity: number;
  private readonly meanMotion: number;
  private readonly inclination: number;
  private readonly size = 2.1;
  private readonly path: Line;
  private readonly radius: Line;

  constructor(fields: Record<string, string>) {
    const number = (key: string, otherwise: number): number => {
      const text = (fields[`system.orbit.${key}`] ?? '').replaceAll('_', '');
      const x = Number(text);
      return text.trim() === '' || !Number.isFinite(x) ? otherwise : x;
    };
    this.eccentricity = Math.min(Math.max(number('eccentricity', 0), 0), 0.99);
    this.meanMotion = number('mean_motion', 1);
    this.inclination = number('inclination', 0);
    const points = Array.from({length: 181}, (_, i) => this.place((Math.PI * i) / 90));
    this.path = new Line(new BufferGeometry().setFromPoints(points), new LineBasicMaterial());
    this.radius = new Line(new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]), new LineBasicMaterial());
    this.radius.frustumCulled = false;
    const planet = new Mesh(new SphereGeometry(0.5, 40, 28), new MeshLambertMaterial({color: '#3f7cac'}));
    this.object.add(planet, this.path, this.radius);
    this.recolor();
  }

  private place(anomaly: number): Vector3 {
    const e = this.eccentricity;
    const x = this.size * (Math.cos(anomaly) - e);
    const y = this.size * Math.sqrt(1 - e * e) * Math.sin(anomaly);
    return new Vector3(x, y * Math.cos(this.inclination), y * Math.sin(this.inclination));
  }

  /** Where the satellite is. */
  at(time: number, place: Vector3): void {
    place.copy(this.place(eccentricAnomaly(this.meanMotion * time, this.eccentricity)));
    const ends = this.radius.geometry.getAttribute('position');
    ends.setXYZ(1, place.x, place.y, place.z);
    ends.needsUpdate = true;
  }

  recolor(): void {
    (this.path.material as LineBasicMaterial).color.set(palette().faint);
    (this.radius.material as LineBasicMaterial).color.set(palette().grid);
  }
}
