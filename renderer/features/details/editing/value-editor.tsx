// Edits a whole value in the details: in the form that suits it, saying beforehand what will be stored.
import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { visibleLine, visibleLines, visibleName, visibleText } from '#shared/visible-text.ts';
import { Button } from '../../../ui/button.tsx';
import { keyLabel } from '../../../workbench/commands/key-map.ts';
import { focusContent } from '../../../workbench/commands/focus-content.ts';
import { shell } from '../../../connection/shell.ts';
import { notify } from '../../../state/store.ts';
import { Select } from '../../../ui/select.tsx';
import { DATE_FORMS, inZone } from './date-text.ts';
import { editableAs, FORMS, type FormOptions, type Parsed, type StoreAs } from './forms.ts';
import { compactJson, indentJson } from './json-text.ts';
import type { LineEndings } from './line-endings.ts';
import { canWrap, TextArea, type Selected } from './text-area.tsx';
import {
  changeDraft,
  changeForm,
  dropDraft,
  isChanged,
  keepMine,
  saveDraft,
  valueDrafts,
  valueOfDraft,
} from './value-drafts.ts';
import type { ValueDraft } from './value-drafts.ts';
import { useWriting } from './writing.ts';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { dateText, formatBytes, localZoneName, plural } from '../../../ui/format.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { jsonChildren, jsonRoot, type JsonNode } from './json-children.ts';
import { isSavingKey } from './saving-key.ts';
import { dateOf } from '#shared/dates.ts';
import { isRawText, storageClassOf, type Value } from '#shared/protocol/index.ts';
import { storedClass, strictRefusal } from './stored-class.ts';

/** Deeper branches cannot be opened: each level is an element inside its parent. */
const MAX_DEPTH = 100;
const MAX_SHOWN_CHARS = 120;

interface JsonTreeProps {
  /** Valid JSON. */
  readonly text: string;
  readonly onPick: (node: JsonNode) => void;
}

function JsonTree({ text, onPick }: JsonTreeProps): ReactNode {
  const root = useMemo(() => jsonRoot(text), [text]);
  return (
    <ul className="scroll json-tree" aria-label="JSON tree">
      <Branch text={text} node={root} depth={0} onPick={onPick} />
    </ul>
  );
}

interface BranchProps extends JsonTreeProps {
  readonly node: JsonNode;
  readonly depth: number;
}

function Branch({ text, node, depth, onPick }: BranchProps): ReactNode {
  const [isOpen, setOpen] = useState(depth === 0);
  const isParent = (node.kind === 'object' || node.kind === 'array') && depth < MAX_DEPTH;
  const children = useMemo(() => (isParent ? jsonChildren(text, node) : null), [text, node, isParent]);
  const label = node.label === '' && depth === 0 ? '' : visibleName(node.label);
  if (!children)
    return (
      <li>
        <button type="button" className="break-words hover-row json-leaf" onClick={() => onPick(node)}>
          {label !== '' && <span className="json-name">{label}: </span>}
          <span className={`json-${node.kind}`}>{visibleLine(shownValue(text, node))}</span>
        </button>
      </li>
    );
  const { nodes, count } = children;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <button type="button" className="hover-row json-branch" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon size={12} aria-hidden />
        {label !== '' && <span className="json-name">{label}</span>}
        <span className="note">{plural(count, node.kind === 'array' ? 'element' : 'member')}</span>
      </button>
      {isOpen && count > 0 && (
        <ul>
          {nodes.map((child, at) => (
            <Branch key={at} text={text} node={child} depth={depth + 1} onPick={onPick} />
          ))}
          {nodes.length < count && (
            <li className="value-note">{`… and ${plural(count - nodes.length, 'more element')}`}</li>
          )}
        </ul>
      )}
    </li>
  );
}

function shownValue(text: string, { from, to, kind }: JsonNode): string {
  if (kind === 'object' || kind === 'array') return kind === 'array' ? '[…]' : '{…}';
  return to - from > MAX_SHOWN_CHARS ? `${text.slice(from, from + MAX_SHOWN_CHARS)}…` : text.slice(from, to);
}

interface ValueEditorProps {
  readonly name: string;
  readonly takesFocus: boolean;
  /** The current value, if it is no longer the one that the draft began with. */
  readonly isOutdated: boolean;
}

export function ValueEditor({ name, takesFocus, isOutdated }: ValueEditorProps): ReactNode {
  const draft = useStore(valueDrafts, ({ drafts }) => drafts[name]);
  const [selected, setSelected] = useState<Selected | null>(() => (takesFocus ? { from: 0, to: 0 } : null));
  const [isTree, setTree] = useState(false);
  const writing = useWriting();
  if (!draft) return null;
  const parsed = valueOfDraft(draft);
  const problem = 'problem' in parsed ? parsed.problem : null;
  const save = async (): Promise<void> => {
    if (await saveDraft(draft)) focusContent();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isSavingKey(event)) {
      event.preventDefault();
      void save();
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (!isChanged(draft)) dropDraft(name);
    focusContent();
  };
  const showsTree = isTree && draft.form === 'json' && problem === null;
  return (
    <section className="value-editor" aria-label="Edit value">
      <FormBar draft={draft} writing={writing} isTree={showsTree} onTree={setTree} canShowTree={problem === null} />
      {showsTree ? (
        <JsonTree
          text={draft.text}
          onPick={({ from, to }) => {
            setTree(false);
            setSelected({ from, to });
          }}
        />
      ) : (
        <TextArea
          label="New value"
          text={draft.text}
          wraps={writing.wraps}
          isMono={writing.isMono || draft.form !== 'text'}
          isShort={draft.form === 'number' || draft.form === 'date'}
          isInvalid={problem !== null}
          selected={selected}
          onChange={(text) => changeDraft(name, { text })}
          onKeyDown={onKeyDown}
        />
      )}
      <SavesAs parsed={parsed} draft={draft} />
      <Conflict draft={draft} isOutdated={isOutdated} />
      <EditorButtons draft={draft} problem={problem} onSave={save} />
    </section>
  );
}

interface EditorButtonsProps {
  readonly draft: ValueDraft;
  readonly problem: string | null;
  readonly onSave: () => Promise<void>;
}

function EditorButtons({ draft, problem, onSave }: EditorButtonsProps): ReactNode {
  const close = (): void => {
    dropDraft(draft.name);
    focusContent();
  };
  return (
    <div className="value-buttons">
      <Button
        variant="primary"
        size="small"
        why={problem ?? (isChanged(draft) ? null : 'Nothing was changed.')}
        disabled={draft.isSaving}
        onClick={() => void onSave()}
      >
        Save <kbd>{keyLabel('CmdOrCtrl+Enter')}</kbd>
      </Button>
      <Button size="small" onClick={close}>
        {isChanged(draft) ? 'Discard' : 'Close'}
      </Button>
    </div>
  );
}

/** Explains what prevents saving, and what to do about it. */
function Conflict({ draft, isOutdated }: { readonly draft: ValueDraft; readonly isOutdated: boolean }): ReactNode {
  const { failure, name, text } = draft;
  const isConflict = failure?.isConflict ?? isOutdated;
  const message =
    failure?.message ??
    (isOutdated ? 'The value was changed in the meantime. Your text is kept but not saved yet.' : null);
  if (message === null) return null;
  return (
    <div className="value-failure" role="alert">
      <p>{visibleText(message)}</p>
      <div className="value-buttons">
        {isConflict && (
          <>
            <Button size="small" onClick={() => void keepMine(draft)}>
              Keep mine
            </Button>
            <Button size="small" onClick={() => dropDraft(name)}>
              Take theirs
            </Button>
          </>
        )}
        <Button size="small" onClick={() => copyText(text)}>
          Copy text
        </Button>
      </div>
    </div>
  );
}

export function copyText(text: string): void {
  void shell.writeClipboard(text);
  notify({ tone: 'info', text: 'What you typed is on the clipboard.' });
}

interface FormBarProps {
  readonly draft: ValueDraft;
  readonly writing: { readonly wraps: boolean; readonly isMono: boolean };
  readonly isTree: boolean;
  readonly canShowTree: boolean;
  readonly onTree: (isTree: boolean) => void;
}

/** The choices above the field: the form of the value, and the options of that form. */
function FormBar({ draft, writing, isTree, canShowTree, onTree }: FormBarProps): ReactNode {
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
      <CheckBox
        className="row-inline note gap-5 value-check"
        title={mayWrap ? undefined : 'A line is too long to wrap.'}
        label="Wrap"
        checked={writing.wraps && mayWrap}
        disabled={!mayWrap}
        onChange={(isOn) => useWriting.setState({ wraps: isOn })}
      />
      {draft.form === 'text' && (
        <CheckBox
          className="row-inline note gap-5 value-check"
          label="Monospace"
          checked={writing.isMono}
          onChange={(isOn) => useWriting.setState({ isMono: isOn })}
        />
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

interface SavesAsProps {
  readonly parsed: Parsed;
  readonly draft: Pick<ValueDraft, 'form' | 'options' | 'text' | 'type'>;
}

/** What the typed text will become once it is stored, or why it cannot be. */
function SavesAs({ parsed, draft }: SavesAsProps): ReactNode {
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
