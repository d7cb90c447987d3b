// A geometry in the details: its picture, what it is, and its well-known text.
import { useMemo, type ReactNode } from 'react';
import { factsOf, type Bounds, type Geometry } from '#shared/geometry/geometry.ts';
import { writeWkt } from '#shared/geometry/wkt.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Described } from '../../ui/described.tsx';
import { geometryPicture } from './geometry-picture.ts';

const SHOWN_CHARS = 10_000;

interface GeometryValueProps {
  readonly geometry: Geometry;
  /** The value is not a text that is shown anyway. */
  readonly showsWkt: boolean;
}

export function GeometryValue({ geometry, showsWkt }: GeometryValueProps): ReactNode {
  const { shape, form, srid } = geometry;
  const { points, bounds } = useMemo(() => factsOf(shape), [shape]);
  const picture = useMemo(() => geometryPicture(geometry), [geometry]);
  const name = `${shape.type} ${shape.axes.slice(2)}`.trim();
  return (
    <>
      <p className="value-note">{`${form} geometry${picture?.isCut ? ', too many points to draw all' : ''}`}</p>
      {picture && (
        <svg
          className="geometry-picture"
          viewBox={`0 0 ${picture.width} ${picture.height}`}
          role="img"
          aria-label={`Picture of the ${name}`}
        >
          <path className="geometry-area" d={picture.polygons} fillRule="evenodd" />
          <path className="geometry-line" d={picture.lines} />
          <path className="geometry-points" d={picture.points} />
        </svg>
      )}
      <dl className="details-facts selectable geometry-facts" aria-label="Geometry">
        <Described name="Type">{name}</Described>
        <Described name="SRID">{srid === null ? 'not in the value' : String(srid)}</Described>
        <Described name="Points">{points === 0 ? 'none: it is empty' : formatCount(points)}</Described>
        {bounds && <Described name="Bounds">{boundsText(bounds)}</Described>}
      </dl>
      <div className="value-buttons">
        <Button size="small" onClick={() => void shell.writeClipboard(writeWkt(shape)).catch(notifyFailure)}>
          Copy WKT
        </Button>
      </div>
      {showsWkt && <Wkt geometry={geometry} />}
    </>
  );
}

function Wkt({ geometry: { shape } }: { readonly geometry: Geometry }): ReactNode {
  const text = useMemo(() => writeWkt(shape, SHOWN_CHARS), [shape]);
  return (
    <>
      <pre className="value-text selectable" tabIndex={0} aria-label="WKT">
        {text.slice(0, SHOWN_CHARS)}
      </pre>
      {text.length > SHOWN_CHARS && (
        <p className="value-note">{`The first ${formatCount(SHOWN_CHARS)} characters. Copy WKT copies all of it.`}</p>
      )}
    </>
  );
}

/** As stored: nothing is rounded. */
const boundsText = ({ minX, minY, maxX, maxY }: Bounds): string =>
  minX === maxX && minY === maxY ? `x ${minX}, y ${minY}` : `x ${minX} to ${maxX}, y ${minY} to ${maxY}`;
