// What the typed text will become once it is stored, or why it cannot be.
import type { ReactNode } from 'react';
import { dateOf } from '#shared/dates.ts';
import { visibleLines, visibleText } from '#shared/visible-text.ts';
import { isRawText, storageClassOf } from '#shared/protocol/index.ts';
import type { Value } from '#shared/protocol/index.ts';
import { formatBytes, plural } from '../../../ui/format.ts';
import { dateText, localZoneName } from './date-text.ts';
import type { Parsed } from './forms.ts';
import { storedClass, strictRefusal } from './stored-class.ts';
import type { ValueDraft } from './value-drafts.ts';

interface SavesAsProps {
  readonly parsed: Parsed;
  readonly draft: Pick<ValueDraft, 'form' | 'options' | 'text' | 'type'>;
}

export function SavesAs({ parsed, draft }: SavesAsProps): ReactNode {
  if ('problem' in parsed)
    return (
      <p className="value-note value-problem" role="status">
        {visibleText(parsed.problem)}
      </p>
    );
  const isJsonb = draft.form === 'json' && draft.options.storeAs === 'jsonb';
  const stored = isJsonb ? 'blob' : storedClass(parsed.value, draft.type);
  const refusal = strictRefusal(stored, draft.type);
  const zone = draft.form === 'date' ? otherZone(parsed.value, draft.options.zone) : null;
  return (
    <div role="status">
      <p className="value-note">{`Saves as ${isJsonb ? 'blob (JSONB)' : stored}${sizeOf(parsed.value, stored)}`}</p>
      {visibleLines(draft.text) !== draft.text && (
        <p className="value-note">The text has hidden characters, which the field shows as they are.</p>
      )}
      {zone !== null && <p className="value-note">{zone}</p>}
      {refusal !== null && <p className="value-note value-problem">{refusal}</p>}
    </div>
  );
}

function sizeOf(value: Value, stored: string): string {
  if (typeof value === 'string' && stored === 'text') return `, ${plural([...value].length, 'character')}`;
  if (value instanceof Uint8Array) return `, ${formatBytes(value.length)}`;
  if (value !== null && isRawText(value)) return `, ${formatBytes(value.textBytes.length)}, not valid UTF-8`;
  return storageClassOf(value) === 'text' && stored !== 'text' ? `: ${String(value).trim().slice(0, 40)}` : '';
}

/** The same moment in the other zone. */
function otherZone(value: Value, zone: 'utc' | 'local'): string | null {
  const date = dateOf(value);
  if (!date) return null;
  if (dateText(date.atMs, 'local') === dateText(date.atMs, 'utc')) return null;
  return zone === 'utc' ? `${dateText(date.atMs, 'local')} in ${localZoneName()}` : `${dateText(date.atMs, 'utc')} UTC`;
}
