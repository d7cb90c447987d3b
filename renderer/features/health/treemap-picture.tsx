// The tables and indexes of a file as rectangles in proportion to their size. The list beside it serves screen readers and keyboards.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { formatBytes, plural } from '../../ui/format.ts';
import type { SpaceRow } from './space-rows.ts';
import { squarify } from './treemap.ts';
import type { Rectangle } from './treemap.ts';

const HEIGHT = 220;
/** Any more would be too small to see. */
const MAX_RECTANGLES = 150;
const GAP = 1;
/** A smaller rectangle has no name in it. */
const NAMED = { width: 48, height: 20, sizeHeight: 36 };
/** Average width of a letter. */
const LETTER_PX = 6.6;

interface Part extends Rectangle {
  readonly key: string;
  readonly label: string;
  readonly bytes: number;
  readonly kind: SpaceRow['kind'] | 'free' | 'rest';
  readonly row: SpaceRow | null;
}

interface TreemapPictureProps {
  /** The largest first. */
  readonly rows: readonly SpaceRow[];
  readonly freeBytes: number;
  readonly onOpen: (row: SpaceRow) => void;
}

export function TreemapPicture({ rows, freeBytes, onOpen }: TreemapPictureProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  const parts = useMemo(() => partsOf(rows, freeBytes, width), [rows, freeBytes, width]);
  const largest = rows.find(({ kind }) => kind !== 'schema');
  const summary = largest ? `The largest is ${largest.name}. The list below has all sizes.` : '';
  return (
    <div ref={frame} className="health-treemap">
      <svg width={width} height={HEIGHT} role="img" aria-label={`Sizes of tables and indexes. ${summary}`}>
        {parts.map((part) => (
          <TreemapPart key={part.key} part={part} onOpen={onOpen} />
        ))}
      </svg>
      <ul className="health-legend" aria-hidden>
        <li data-kind="table">Tables</li>
        <li data-kind="index">Indexes</li>
        {freeBytes > 0 && <li data-kind="free">Free pages</li>}
      </ul>
    </div>
  );
}

function partsOf(rows: readonly SpaceRow[], freeBytes: number, width: number): readonly Part[] {
  const known = rows.filter(({ bytes }) => bytes !== null && bytes > 0);
  const shown = known.slice(0, MAX_RECTANGLES);
  const restBytes = known.slice(MAX_RECTANGLES).reduce((sum, { bytes }) => sum + bytes!, 0);
  const all: Omit<Part, keyof Rectangle>[] = shown.map((row) => ({
    key: `tree ${row.name}`,
    label: visibleName(row.name),
    bytes: row.bytes!,
    kind: row.kind,
    row,
  }));
  if (freeBytes > 0) all.push({ key: 'free', label: 'Free pages', bytes: freeBytes, kind: 'free', row: null });
  if (restBytes > 0) {
    const label = plural(known.length - MAX_RECTANGLES, 'smaller one');
    all.push({ key: 'rest', label, bytes: restBytes, kind: 'rest', row: null });
  }
  all.sort((a, b) => b.bytes - a.bytes);
  const rectangles = squarify(
    all.map(({ bytes }) => bytes),
    width,
    HEIGHT,
  );
  return rectangles.map((rectangle, at) => ({ ...rectangle, ...all[at]! }));
}

function TreemapPart({ part, onOpen }: { readonly part: Part; readonly onOpen: (row: SpaceRow) => void }): ReactNode {
  const { x, y, width, height, label, bytes, kind, row } = part;
  const letters = Math.floor((width - 12) / LETTER_PX);
  const isNamed = width >= NAMED.width && height >= NAMED.height;
  const size = formatBytes(bytes);
  return (
    <g
      data-kind={kind}
      className={row ? 'health-part health-part-open' : 'health-part'}
      onClick={() => row && onOpen(row)}
    >
      <title>{`${label}: ${row?.isEstimate ? 'about ' : ''}${size}`}</title>
      <rect x={x} y={y} width={Math.max(0, width - GAP)} height={Math.max(0, height - GAP)} rx={2} />
      {isNamed && (
        <text x={x + 6} y={y + 15}>
          {label.length > letters ? `${label.slice(0, Math.max(1, letters - 1))}…` : label}
        </text>
      )}
      {isNamed && height >= NAMED.sizeHeight && size.length <= letters && (
        <text x={x + 6} y={y + 30} className="health-part-size">
          {size}
        </text>
      )}
    </g>
  );
}
