// The clipboard as the worker reads it, and the first rows as they would be stored; updated when the choices change.
import { useEffect, useMemo, useState } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { DetectedSource, ImportOptions, ImportPreview } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { isLikelyRow, planPaste } from './paste-plan.ts';
import type { PasteChoice, PasteTarget, PlannedPaste } from './paste-plan.ts';
import { canTranspose, transposedText } from './transposed-text.ts';

export const SHOWN_ROWS = 200;
/** Delay while the user types. */
const SETTLE_MS = 120;

export interface Pasted {
  /** The text to paste: that of the clipboard, possibly with rows and columns swapped. */
  readonly text: string;
  /** Null until the text was read. */
  readonly detected: DetectedSource | null;
  readonly planned: PlannedPaste | null;
  /** The previous preview stays until the next one is ready. */
  readonly preview: ImportPreview | null;
  /** A sentence why it cannot be pasted like this. */
  readonly problem: string | null;
}

export function usePasted(target: PasteTarget, given: Partial<ImportOptions>, choice: PasteChoice): Pasted {
  const { detected, text, problem } = useDetected(target, given, choice);
  const planned = useMemo(() => {
    if (!detected || choice.pasteAs === 'table') return { plan: null, why: null };
    try {
      return { plan: planPaste({ ...target, text }, detected, choice), why: null };
    } catch (thrown) {
      return { plan: null, why: toAppError(thrown).message };
    }
  }, [target, text, detected, choice]);
  const [preview, previewProblem] = usePreview(target, planned.plan, choice);
  return { text, detected, planned: planned.plan, preview, problem: problem ?? planned.why ?? previewProblem };
}

type Found = Pick<Pasted, 'text' | 'detected' | 'problem'>;

function useDetected(
  { text, source }: PasteTarget,
  given: Partial<ImportOptions>,
  { transposes, pasteAs }: PasteChoice,
): Found {
  const isNewTable = pasteAs === 'table';
  const [found, setFound] = useState<Found>({ text, detected: null, problem: null });
  useEffect(() => {
    const abort = new AbortController();
    const read = (seen: string, options: Partial<ImportOptions>): Promise<DetectedSource> =>
      client.call(
        'import.detect',
        { source: { kind: 'text', text: seen, name: 'Clipboard' }, options },
        { signal: abort.signal },
      );
    const detect = async (seen: string, options: Partial<ImportOptions>): Promise<DetectedSource> => {
      const detected = await read(seen, options);
      const isRow = options.hasHeader === undefined && !isNewTable && isLikelyRow(detected, source);
      return isRow ? await read(seen, { ...options, hasHeader: false }) : detected;
    };
    const detectAll = async (): Promise<Found> => {
      const detected = await detect(text, given);
      const problem = detected.columns.length === 0 ? 'This text has no rows.' : null;
      const { options } = detected;
      if (problem !== null || !transposes || !canTranspose(options)) return { text, detected, problem };
      const turned = transposedText(text, options);
      const { format, delimiter, quote } = options;
      return { text: turned, detected: await detect(turned, { ...given, format, delimiter, quote }), problem };
    };
    detectAll().then(
      (now) => !abort.signal.aborted && setFound(now),
      (thrown: unknown) =>
        !abort.signal.aborted && setFound({ text, detected: null, problem: toAppError(thrown).message }),
    );
    return () => abort.abort();
  }, [text, source, given, transposes, isNewTable]);
  return found;
}

function usePreview(
  { source }: PasteTarget,
  planned: PlannedPaste | null,
  { pasteAs }: PasteChoice,
): readonly [ImportPreview | null, string | null] {
  const [shown, setShown] = useState<readonly [ImportPreview | null, string | null]>([null, null]);
  useEffect(() => {
    if (!planned) return;
    const abort = new AbortController();
    const params = {
      database: source.database,
      plan: planned.plan,
      maxRecords: SHOWN_ROWS,
      ...(pasteAs === 'cells' && { valuesOnly: true as const }),
    };
    const timer = setTimeout(() => {
      client.call('import.preview', params, { signal: abort.signal }).then(
        (preview) => setShown([preview, null]),
        (thrown: unknown) => !abort.signal.aborted && setShown([null, toAppError(thrown).message]),
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [source, planned, pasteAs]);
  return planned ? shown : [null, null];
}
