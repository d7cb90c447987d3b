// What the dialog of a function begins with: stand-ins for functions of well-known programs, by name.
import type { StandIn } from '#shared/stand-ins.ts';

type Template = Pick<StandIn, 'kind' | 'argumentCount' | 'code'>;

/** A bound of a geometry in the encoding of GeoPackage: from its envelope, or of a point. */
const bound = (inEnvelope: number, inPoint: number): Template => ({
  kind: 'scalar',
  argumentCount: 1,
  code: `(geometry) => {
  if (geometry === null || (geometry[3] >> 4) & 1) return null; // none, or an empty one
  const view = new DataView(geometry.buffer);
  const envelope = (geometry[3] >> 1) & 7;
  if (envelope > 0) return real(view.getFloat64(${8 + inEnvelope * 8}, (geometry[3] & 1) === 1));
  const little = geometry[8] === 1;
  if (view.getUint32(9, little) % 1000 !== 1) throw new Error('no envelope, and no point');
  return real(view.getFloat64(${13 + inPoint * 8}, little));
}`,
});

/** By folded name. */
const TEMPLATES: ReadonlyMap<string, Template> = new Map<string, Template>([
  // Calibre
  [
    'title_sort',
    { kind: 'scalar', argumentCount: 1, code: "(title) => title?.replace(/^(A|The|An)\\s+(.+)$/i, '$2, $1') ?? null" },
  ],
  [
    'sortconcat',
    {
      kind: 'aggregate',
      argumentCount: 2,
      code: `{
  start: () => [],
  step(all, id, text) { if (text !== null) all.push([id, text]); },
  result: (all) => all.sort((a, b) => a[0] - b[0]).map(([, text]) => text).join(','),
}`,
    },
  ],
  // GeoPackage
  ['st_isempty', { kind: 'scalar', argumentCount: 1, code: '(geometry) => geometry && (geometry[3] >> 4) & 1' }],
  ['st_minx', bound(0, 0)],
  ['st_maxx', bound(1, 0)],
  ['st_miny', bound(2, 1)],
  ['st_maxy', bound(3, 1)],
]);

export const START_OF: Readonly<Record<StandIn['kind'], string>> = {
  scalar: '(text) => text === null ? null : text.toLowerCase()',
  aggregate: `{
  start: () => 0,
  step: (state, value) => state + value,
  result: (state) => state,
}`,
};

/** The definition that the dialog shows first. */
export function newStandIn(name: string): StandIn {
  const template = TEMPLATES.get(name.toLowerCase()) ?? { kind: 'scalar', argumentCount: 1, code: START_OF.scalar };
  // A function that was missing is needed by the schema.
  return { name, deterministic: true, innocuous: name !== '', ...template };
}
