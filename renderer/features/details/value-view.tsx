// A value, shown for what it is. Text is only ever text: nothing of a database is taken as markup.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Value } from '#shared/protocol/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/format.ts';
import { bytesPerLine, contentOf, hexDump } from './content.ts';

const TEXT_SHOWN_CHARS = 200_000;
const HEX_SHOWN_BYTES = 16_384;
/** Of the 11.5 px monospaced face the dump is set in, rounded up. */
const HEX_CHARACTER_PX = 7;

export function ValueView({ value }: { readonly value: Value }): ReactNode {
  const content = useMemo(() => contentOf(value), [value]);
  switch (content.kind) {
    case 'null':
      return <p className="value-null">NULL</p>;
    case 'image':
      return <ImageValue bytes={content.bytes} mediaType={content.mediaType} />;
    case 'bytes':
      return content.bytes.length === 0 ? <p className="value-null">empty blob</p> : <HexValue bytes={content.bytes} />;
    case 'json':
      return <TextValue text={content.text} note="JSON, indented" />;
    case 'text':
      return content.text === '' ? (
        <p className="value-null">empty text</p>
      ) : (
        <TextValue text={content.text} note={content.note} />
      );
  }
}

function TextValue({ text, note }: { readonly text: string; readonly note: string | null }): ReactNode {
  const [whole, setWhole] = useState(false);
  const isCut = !whole && text.length > TEXT_SHOWN_CHARS;
  return (
    <>
      {note && <p className="value-note">{note}</p>}
      <pre className="value-text selectable" tabIndex={0} aria-label="Value">
        {isCut ? text.slice(0, TEXT_SHOWN_CHARS) : text}
      </pre>
      {isCut && (
        <Button size="small" onClick={() => setWhole(true)}>
          Show all {formatBytes(text.length)}
        </Button>
      )}
    </>
  );
}

function HexValue({ bytes }: { readonly bytes: Uint8Array }): ReactNode {
  const element = useRef<HTMLPreElement>(null);
  const [perLine, setPerLine] = useState(8);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setPerLine(bytesPerLine(Math.floor(entry.contentRect.width / HEX_CHARACTER_PX)));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <pre ref={element} className="value-text value-hex selectable" tabIndex={0} aria-label="Bytes">
        {hexDump(bytes, HEX_SHOWN_BYTES, perLine)}
      </pre>
      {bytes.length > HEX_SHOWN_BYTES && (
        <p className="value-note">
          The first {formatBytes(HEX_SHOWN_BYTES)} of {formatBytes(bytes.length)}
        </p>
      )}
    </>
  );
}

function ImageValue({ bytes, mediaType }: { readonly bytes: Uint8Array; readonly mediaType: string }): ReactNode {
  const [url, setUrl] = useState<string | null>(null);
  const [size, setSize] = useState<string | null>(null);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType }));
    setUrl(made);
    setBroken(false);
    return () => URL.revokeObjectURL(made);
  }, [bytes, mediaType]);
  if (broken) return <HexValue bytes={bytes} />;
  return (
    <>
      <p className="value-note">
        {mediaType.slice(6).toUpperCase()} image{size && `, ${size} pixels`}
      </p>
      {url && (
        <img
          className="value-image"
          src={url}
          alt="Content of the cell"
          onLoad={({ currentTarget }) => setSize(`${currentTarget.naturalWidth} × ${currentTarget.naturalHeight}`)}
          onError={() => setBroken(true)}
        />
      )}
    </>
  );
}
