// Shows a value according to its kind. Text is only ever text: nothing from a database is treated as markup.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Value } from '#shared/protocol/index.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { contentOf, hexDump, hexLayoutFor, imageName, WIDE_HEX, type Content } from './content.ts';
import { MAX_LEVELS } from './indent-json.ts';
import { blocksOf, useTextPart, type TextPart } from './text-part.ts';
import { factsOf, type Bounds, type Geometry } from '#shared/geometry/geometry.ts';
import { writeWkt } from '#shared/geometry/wkt.ts';
import { notifyFailure } from '../../state/databases.ts';
import { Described } from '../../ui/described.tsx';
import { geometryPicture } from './geometry-picture.ts';

/** A tab could show it only where a link or form of it reaches the network. */
const SAVE_FIRST = '. A browser cannot keep it away from the network, so save it to open it in a PDF viewer.';
const HEX_SHOWN_BYTES = 16_384;

interface ValueViewProps {
  readonly value: Value;
  readonly isCut: boolean;
  onSave(): void;
  onShowPages(): void;
}

export function ValueView({ value, isCut, onSave, onShowPages }: ValueViewProps): ReactNode {
  const content = useMemo(() => contentOf(value, isCut), [value, isCut]);
  switch (content.kind) {
    case 'null':
      return <p className="value-null">NULL</p>;
    case 'image':
      return <ImageValue image={content} />;
    case 'audio':
      return isCut ? (
        <HexValue bytes={content.bytes} note={`${content.label}, too long to play here: its bytes`} />
      ) : (
        <AudioValue audio={content} />
      );
    case 'geometry':
      return (
        <>
          <GeometryValue geometry={content.geometry} showsWkt={content.text === null} />
          {content.text !== null && <TextValue text={content.text} note={null} isCut={isCut} />}
        </>
      );
    case 'bytes':
      return content.bytes.length === 0 ? (
        <p className="value-null">empty blob</p>
      ) : (
        <HexValue bytes={content.bytes} note={content.note} />
      );
    case 'pdf':
      return (
        <>
          <p className="value-note">{`${content.name}${isDesktop ? '' : SAVE_FIRST}`}</p>
          <div className="value-buttons">
            {isDesktop && (
              <Button size="small" onClick={onShowPages}>
                Show pages
              </Button>
            )}
            <Button size="small" onClick={onSave}>
              Save PDF…
            </Button>
          </div>
          <HexValue bytes={content.bytes} note={null} />
        </>
      );
    case 'text':
      return content.text === '' ? (
        <p className="value-null">empty text</p>
      ) : (
        <TextValue text={content.text} note={content.note} isCut={isCut} />
      );
  }
}

interface TextValueProps {
  readonly text: string;
  readonly note: string | null;
  readonly isCut: boolean;
}

function TextValue({ text, note, isCut }: TextValueProps): ReactNode {
  const [place, setPlace] = useState<{ readonly of: string; readonly before: readonly number[] }>(NO_PLACE);
  /** Starts of the previous parts and of this one. */
  const starts = place.of === text ? place.before : NO_PLACE.before;
  const from = starts.at(-1) ?? 0;
  const part = useTextPart(text, from, isCut);
  const goTo = (before: readonly number[]): void => setPlace({ of: text, before });
  const notes = [...notesOf(part), ...(note === null ? [] : [note])];
  return (
    <>
      {notes.length > 0 && <p className="value-note">{notes.join(', ')}</p>}
      <pre className="value-text selectable" tabIndex={0} aria-label="Value" data-exact>
        {blocksOf(part.text).map((block, index) => (
          <span key={index} className="full-width value-block" data-exact>
            {block}
          </span>
        ))}
      </pre>
      {(from > 0 || part.to < part.totalChars) && (
        <Parts
          from={from}
          part={part}
          onPrevious={() => goTo(starts.slice(0, -1))}
          onNext={() => goTo([...starts, part.to])}
        />
      )}
    </>
  );
}

const NO_PLACE = { of: '', before: [] } as const;

function notesOf({ isJson, hasDeeperLevels, hasCodes }: TextPart): readonly string[] {
  return [
    ...(isJson ? [hasDeeperLevels ? `JSON, indented to level ${MAX_LEVELS}` : 'JSON, indented'] : []),
    ...(hasCodes ? ['hidden characters shown as codes'] : []),
  ];
}

interface PartsProps {
  readonly from: number;
  readonly part: TextPart;
  onPrevious(): void;
  onNext(): void;
}

/** Shows one part at a time: laying out megabytes of text would block the window. */
function Parts({ from, part: { to, totalChars }, onPrevious, onNext }: PartsProps): ReactNode {
  return (
    <div className="row wrap gap-4 fixed" role="group" aria-label="Part of the text">
      <IconButton label="Previous part" disabled={from === 0} onClick={onPrevious}>
        <ChevronLeft size={14} />
      </IconButton>
      <IconButton label="Next part" disabled={to >= totalChars} onClick={onNext}>
        <ChevronRight size={14} />
      </IconButton>
      <span className="value-note" role="status">
        Characters {formatCount(from + 1)} to {formatCount(to)} of {formatCount(totalChars)}
      </span>
    </div>
  );
}

function HexValue({ bytes, note }: { readonly bytes: Uint8Array; readonly note: string | null }): ReactNode {
  const element = useRef<HTMLPreElement>(null);
  const [layout, setLayout] = useState(WIDE_HEX);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setLayout(hexLayoutFor(Math.floor(entry.contentRect.width / characterWidth(current))));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      {note && <p className="value-note">{note}</p>}
      <pre ref={element} className="value-text value-hex selectable" tabIndex={0} aria-label="Bytes">
        {hexDump(bytes, HEX_SHOWN_BYTES, layout)}
      </pre>
      {bytes.length > HEX_SHOWN_BYTES && (
        <p className="value-note">
          The first {formatBytes(HEX_SHOWN_BYTES)} of {formatBytes(bytes.length)}
        </p>
      )}
    </>
  );
}

/** Character width of an element's monospaced font, which a setting can change. */
function characterWidth(element: HTMLElement): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return Infinity;
  context.font = getComputedStyle(element).font;
  return context.measureText('0').width;
}

/** Null until it is created. It is released when the value is no longer shown. */
function useObjectUrl(bytes: Uint8Array, mediaType: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, mediaType]);
  return url;
}

function AudioValue({ audio }: { readonly audio: Extract<Content, { kind: 'audio' }> }): ReactNode {
  const { bytes, mediaType, label } = audio;
  const url = useObjectUrl(bytes, mediaType);
  const [broken, setBroken] = useState<Uint8Array | null>(null);
  if (broken === bytes) return <HexValue bytes={bytes} note={`${label} that cannot be played: its bytes`} />;
  return (
    <>
      <p className="value-note">{`${label}, ${formatBytes(bytes.length)}`}</p>
      {url && (
        // A database has no captions for its sounds.
        <audio
          className="full-width value-audio"
          controls
          preload="metadata"
          src={url}
          aria-label="Sound in the cell"
          onError={() => setBroken(bytes)}
        />
      )}
    </>
  );
}

function ImageValue({ image }: { readonly image: Extract<Content, { kind: 'image' }> }): ReactNode {
  const { bytes, mediaType, width, height } = image;
  const url = useObjectUrl(bytes, mediaType);
  const [broken, setBroken] = useState<Uint8Array | null>(null);
  const name = `${imageName(mediaType)} image`;
  if (broken === bytes) return <HexValue bytes={bytes} note={`${name} that cannot be shown: its bytes`} />;
  return (
    <>
      <p className="value-note">{`${name}, ${width} × ${height} pixels`}</p>
      {url && (
        <img
          className="shrink-y value-image"
          src={url}
          alt="Content of the cell"
          decoding="async"
          onError={() => setBroken(bytes)}
        />
      )}
    </>
  );
}

const SHOWN_CHARS = 10_000;

interface GeometryValueProps {
  readonly geometry: Geometry;
  /** The value is not a text that is shown anyway. */
  readonly showsWkt: boolean;
}

function GeometryValue({ geometry, showsWkt }: GeometryValueProps): ReactNode {
  const { shape, form, srid } = geometry;
  const { points, bounds } = useMemo(() => factsOf(shape), [shape]);
  const picture = useMemo(() => geometryPicture(geometry), [geometry]);
  const name = `${shape.type} ${shape.axes.slice(2)}`.trim();
  return (
    <>
      <p className="value-note">{`${form} geometry${picture?.isCut ? ', too many points to draw all' : ''}`}</p>
      {picture && (
        <svg
          className="full-width fixed geometry-picture"
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
