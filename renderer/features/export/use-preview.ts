// The first lines of an export as they will be written, updated after each change of the settings.
import { useEffect, useState } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, ExportOptions, ExportSource } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';

const PREVIEW_ROWS = 50;
/** Delay while the user types. */
const SETTLE_MS = 120;

export interface Preview {
  readonly text: string;
  readonly isCut: boolean;
  readonly dateColumns: readonly string[];
  /** A sentence why there is no preview. */
  readonly problem: string | null;
}

/**
 * Null until the first preview is ready; the previous one stays until the next is.
 *
 * @param sourceNow the source with selected rows where they are by then
 */
export function usePreview(
  database: DatabaseId,
  source: ExportSource | null,
  sourceNow: (() => ExportSource) | undefined,
  format: string,
  options: ExportOptions,
): Preview | null {
  const [preview, setPreview] = useState<Preview | null>(null);
  useEffect(() => {
    if (!source) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const asked = { database, source: sourceNow?.() ?? source, format, options, maxRows: PREVIEW_ROWS };
      client.call('export.text', asked, { signal: abort.signal }).then(
        ({ text, isCut, dateColumns }) => setPreview({ text, isCut, dateColumns, problem: null }),
        (thrown: unknown) => {
          if (!abort.signal.aborted)
            setPreview({ text: '', isCut: false, dateColumns: [], problem: toAppError(thrown).message });
        },
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [database, source, sourceNow, format, options]);
  return preview;
}
