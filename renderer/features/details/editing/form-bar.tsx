// The choices above the field: the form of the value, and the options of that form.
import type { ReactNode } from 'react';
import { notify } from '../../../state/store.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { DATE_FORMS, inZone, localZoneName } from './date-text.ts';
import { editableAs, FORMS } from './forms.ts';
import type { FormOptions, StoreAs } from './forms.ts';
import { compactJson, indentJson } from './json-text.ts';
import type { LineEndings } from './line-endings.ts';
import { canWrap } from './text-area.tsx';
import { changeDraft, changeForm } from './value-drafts.ts';
import type { ValueDraft } from './value-drafts.ts';
import { useWriting } from './writing.ts';

interface FormBarProps {
  readonly draft: ValueDraft;
  readonly writing: { readonly wraps: boolean; readonly isMono: boolean };
  readonly isTree: boolean;
  readonly canShowTree: boolean;
  readonly onTree: (isTree: boolean) => void;
}

export function FormBar({ draft, writing, isTree, canShowTree, onTree }: FormBarProps): ReactNode {
  const { form, options, base, json } = draft;
  const change = (patch: Partial<FormOptions>): void => changeDraft(draft.name, { options: { ...options, ...patch } });
  const forms = FORMS.filter(([id]) => id === form || editableAs(id, base, json) !== null);
  return (
    <div className="value-form-bar">
      <Select
        label="Edit as"
        value={form}
        options={forms}
        onChoose={(next) => {
          const why = changeForm(draft, next);
          if (why !== null) notify({ tone: 'info', text: why });
        }}
      />
      {form === 'date' && (
        <>
          <Select
            label="Stored as"
            value={options.dateForm}
            options={DATE_FORMS}
            onChoose={(dateForm) => change({ dateForm })}
          />
          <Select
            label="Time zone"
            value={options.zone}
            options={[
              ['utc', 'UTC'],
              ['local', localZoneName()],
            ]}
            onChoose={(zone) => changeZone(draft, zone)}
          />
        </>
      )}
      {(form === 'text' || form === 'json' || form === 'hex') && (
        <Select
          label="Store as"
          value={options.storeAs}
          options={storages(draft)}
          onChoose={(storeAs) => change({ storeAs })}
        />
      )}
      {form === 'text' && options.endings !== null && (
        <Select
          label="Line endings"
          value={options.endings}
          options={lineEndings(draft)}
          onChoose={(endings) => change({ endings })}
        />
      )}
      {form === 'json' && <JsonButtons draft={draft} isTree={isTree} canShowTree={canShowTree} onTree={onTree} />}
      {(form === 'text' || form === 'json') && !isTree && <WritingChecks draft={draft} writing={writing} />}
    </div>
  );
}

function JsonButtons({ draft, isTree, canShowTree, onTree }: Omit<FormBarProps, 'writing'>): ReactNode {
  const why = canShowTree ? null : 'The text is not valid JSON.';
  const format = (shape: (text: string) => string): void => changeDraft(draft.name, { text: shape(draft.text) });
  return (
    <>
      <Button size="small" aria-pressed={isTree} why={why} onClick={() => onTree(!isTree)}>
        Tree
      </Button>
      <Button size="small" why={why} onClick={() => format(indentJson)}>
        Format
      </Button>
      <Button size="small" why={why} onClick={() => format(compactJson)}>
        Compact
      </Button>
    </>
  );
}

function WritingChecks({ draft, writing }: Pick<FormBarProps, 'draft' | 'writing'>): ReactNode {
  const mayWrap = canWrap(draft.text);
  return (
    <>
      <label className="value-check" title={mayWrap ? undefined : 'A line is too long to wrap.'}>
        <input
          type="checkbox"
          checked={writing.wraps && mayWrap}
          disabled={!mayWrap}
          onChange={(event) => useWriting.setState({ wraps: event.target.checked })}
        />
        Wrap
      </label>
      {draft.form === 'text' && (
        <label className="value-check">
          <input
            type="checkbox"
            checked={writing.isMono}
            onChange={(event) => useWriting.setState({ isMono: event.target.checked })}
          />
          Monospace
        </label>
      )}
    </>
  );
}

function storages({ form }: ValueDraft): readonly (readonly [StoreAs, string])[] {
  const plain = [['text', 'as text'], ['blob', 'as blob']] as const; // prettier-ignore
  return form === 'json' ? [...plain, ['jsonb', 'as JSONB']] : plain;
}

function lineEndings({ start }: ValueDraft): readonly (readonly [LineEndings, string])[] {
  const usual = [['lf', 'LF'], ['crlf', 'CRLF'], ['cr', 'CR']] as const; // prettier-ignore
  return start.options.endings === 'mixed' ? [['mixed', 'Mixed, kept'], ...usual] : usual;
}

/** The moment stays the same, so this does not count as a change. */
function changeZone(draft: ValueDraft, zone: FormOptions['zone']): void {
  const { text, options, start } = draft;
  changeDraft(draft.name, {
    text: inZone(text, options.zone, zone),
    start: { ...start, text: inZone(start.text, options.zone, zone) },
    options: { ...options, zone },
  });
}
