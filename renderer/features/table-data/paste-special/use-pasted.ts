// What is on the clipboard as the worker reads it, and the first rows as they would be stored; again after each change of what is chosen.
import { useEffect, useMemo, useState } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { ImportLook, ImportOptions, ImportPreview } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { planPaste } from './paste-plan.ts';
import type { PasteChoice, PasteTarget, PlannedPaste } from './paste-plan.ts';

export const SHOWN_ROWS = 200;
/** Delay while the user types. */
const SETTLE_MS = 120;

export interface Pasted {
  /** Null until the text was looked at. */
  readonly look: ImportLook | null;
  readonly planned: PlannedPaste | null;
  /** The one before stays until the next is there. */
  readonly preview: ImportPreview | null;
  /** Why it cannot be pasted like this, in a sentence. */
  readonly problem: string | null;
}

export function usePasted(target: PasteTarget, given: Partial<ImportOptions>, choice: PasteChoice): Pasted {
  const [look, lookProblem] = useLook(target.text, given);
  const planned = useMemo(() => {
    if (!look || choice.pasteAs === 'table') return { plan: null, why: null };
    try {
      return { plan: planPaste(target, look, choice), why: null };
    } catch (thrown) {
      return { plan: null, why: toAppError(thrown).message };
    }
  }, [target, look, choice]);
  const [preview, previewProblem] = usePreview(target, planned.plan, choice);
  return { look, planned: planned.plan, preview, problem: lookProblem ?? planned.why ?? previewProblem };
}

function useLook(text: string, given: Partial<ImportOptions>): readonly [ImportLook | null, string | null] {
  const [found, setFound] = useState<readonly [ImportLook | null, string | null]>([null, null]);
  useEffect(() => {
    const abort = new AbortController();
    client
      .call(
        'import.look',
        { source: { kind: 'text', text, name: 'Clipboard' }, options: given },
        { signal: abort.signal },
      )
      .then(
        (look) => setFound([look, look.columns.length === 0 ? 'This text has no rows.' : null]),
        (thrown: unknown) => !abort.signal.aborted && setFound([null, toAppError(thrown).message]),
      );
    return () => abort.abort();
  }, [text, given]);
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
