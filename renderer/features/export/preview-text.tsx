// Preview of an export: its first lines, and what its format cannot hold.
import type { ReactNode } from 'react';
import type { ExportFormatInfo } from '#shared/protocol/index.ts';
import type { Preview } from './use-preview.ts';

interface PreviewTextProps {
  readonly preview: Preview | null;
  /** What is still missing for a preview. */
  readonly hint: string | null;
}

export function PreviewText({ preview, hint }: PreviewTextProps): ReactNode {
  if (preview?.problem) return <p className="export-problem">{preview.problem}</p>;
  return (
    <div className="form-text export-preview" role="region" aria-label="Preview" tabIndex={0}>
      {preview ? <pre>{preview.text}</pre> : <p className="export-hint">{hint}</p>}
      {preview?.isCut && <p>… and so on</p>}
    </div>
  );
}

interface LimitsProps {
  readonly format: ExportFormatInfo;
  /** Whether the rows can have BLOBs. */
  readonly hasBlobs: boolean;
  /** Cost of reading from a server. */
  readonly cost: string;
}

export function Limits({ format, hasBlobs, cost }: LimitsProps): ReactNode {
  const lost = [...format.cannotHold, ...(hasBlobs && format.ofBlobs !== undefined ? [format.ofBlobs] : [])];
  return (
    <div className="export-limits" role="note">
      {lost.length === 0 ? (
        <p>This format keeps every value exactly.</p>
      ) : (
        lost.map((sentence) => <p key={sentence}>{sentence}</p>)
      )}
      {cost !== '' && <p>{cost}</p>}
    </div>
  );
}
