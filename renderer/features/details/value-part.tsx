// The value of the current cell: shown or being edited, with its actions.
import { CircleSlash, Copy, FileInput, FileOutput, History, Pencil } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useStore as useVanilla } from 'zustand';
import type { Value } from '#shared/protocol/index.ts';
import { visibleText } from '#shared/visible-text.ts';
import { shell } from '../../connection/shell.ts';
import { valueText } from '../../grid/input/value-text.ts';
import type { Detail } from '../../state/slices/detail.ts';
import { notify, useStore } from '../../state/store.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/format.ts';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import { sameValue } from '../../workbench/rows/own-edits.ts';
import { hexDump, WIDE_HEX } from './content.ts';
import { useJsonb } from './editing/jsonb.ts';
import { openRange, rangeDrafts } from './editing/range-drafts.ts';
import { RangeEditor } from './editing/range-editor.tsx';
import { HEX_RANGE_BYTES, TEXT_RANGE_BYTES } from './editing/use-range.ts';
import { EarlierValues } from './editing/earlier-values.tsx';
import { storeValue } from './editing/store-value.ts';
import { beginDraft, draftName, DRY_RUN_FIRST, valueDrafts } from './editing/value-drafts.ts';
import { ValueEditor } from './editing/value-editor.tsx';
import { showDocument } from './show-document.ts';
import { SHOWN_BYTES, useWholeValue } from './use-whole-value.ts';
import { loadValue, saveValue } from './value-files.ts';
import { ValueView } from './value-view.tsx';

export function ValuePart({ detail: given }: { readonly detail: Detail }): ReactNode {
  const detail = useFixedByDryRun(given);
  const { value, pending, error } = useWholeValue(detail);
  const { json, pending: isAsked } = useJsonb(detail.database, value);
  const name = draftName(detail);
  const draft = useVanilla(valueDrafts, ({ drafts }) => (name === null ? undefined : drafts[name]));
  const range = useVanilla(rangeDrafts, ({ drafts }) => (name === null ? undefined : drafts[name]));
  const [problem, setProblem] = useState<{ readonly of: Detail; readonly text: string } | null>(null);
  const [comparing, setComparing] = useState<string | null>(null);
  const [begun, setBegun] = useState<string | null>(null);
  const isCut = detail.sizeBytes > SHOWN_BYTES;
  const isReady = !pending && !isAsked && error === null;
  const edit = (): void => {
    if (!isReady || name === null) return;
    setBegun(name);
    if (isLong(detail)) openRange(name, detail.tabId, `${detail.title} · ${detail.column}`);
    else beginDraft(detail, value, json);
  };
  useEditAsked(isReady, error !== null, edit, detail);
  if (comparing !== null && comparing === name && isReady)
    return <EarlierValues key={name} detail={detail} value={value} onClose={() => setComparing(null)} />;
  if (draft && name !== null)
    return (
      <ValueEditor
        key={name}
        name={name}
        takesFocus={begun === name}
        isOutdated={isReady && !isCut && !draft.isSaving && !sameValue(value, draft.base)}
      />
    );
  if (range && name !== null)
    return <RangeEditor key={name} detail={detail} draft={range} name={name} takesFocus={begun === name} />;
  const tellProblem = (text: string | null): void => setProblem(text === null ? null : { of: detail, text });
  const setNull = (): void => void storeValue(detail, isCut ? undefined : value, null).then(tellProblem);
  return (
    <div className="details-value">
      <ValueActions
        detail={detail}
        value={value}
        isReady={isReady}
        onEdit={edit}
        onNull={setNull}
        onCompare={() => setComparing(name)}
      />
      {problem?.of === detail && (
        <p className="value-failure" role="alert">
          {visibleText(problem.text)}
        </p>
      )}
      {error ? (
        <p className="value-note">{error}</p>
      ) : (
        isFilledIn(detail) && <ShownValue detail={detail} value={value} json={json} isCut={isCut || pending} />
      )}
      {!error && <ShownNotes isJsonb={json !== null} pending={pending} sizeBytes={detail.sizeBytes} />}
    </div>
  );
}

interface ShownValueProps {
  readonly detail: Detail;
  readonly value: Value;
  /** Text of a JSONB value. */
  readonly json: string | null;
  readonly isCut: boolean;
}

const ShownValue = ({ detail, value, json, isCut }: ShownValueProps): ReactNode => (
  <ValueView
    value={json ?? value}
    isCut={isCut}
    onSave={() => void saveValue(detail, value)}
    onShowPages={() => void showDocument(detail, value)}
  />
);

const isFilledIn = ({ source }: Detail): boolean => source.kind !== 'new-row' || source.emptyText === null;

interface ShownNotesProps {
  readonly isJsonb: boolean;
  readonly pending: boolean;
  readonly sizeBytes: number;
}

/** How the shown value differs from the stored one. */
function ShownNotes({ isJsonb, pending, sizeBytes }: ShownNotesProps): ReactNode {
  return (
    <>
      {isJsonb && <p className="value-note">Stored as JSONB</p>}
      {pending && <p className="value-note">Reading the rest…</p>}
      {!pending && sizeBytes > SHOWN_BYTES && (
        <p className="value-note">
          The first {formatBytes(SHOWN_BYTES)} of {formatBytes(sizeBytes)}
        </p>
      )}
    </>
  );
}

/** Blocks editing during a dry run: a change would become part of it. */
function useFixedByDryRun(detail: Detail): Detail {
  const isFixed = useStore(({ dryRuns }) => dryRuns[detail.tabId] !== undefined);
  return useMemo(() => (isFixed ? { ...detail, editing: DRY_RUN_FIRST } : detail), [detail, isFixed]);
}

/** Whether it is edited part by part. */
const isLong = ({ storageClass, sizeBytes }: Detail): boolean =>
  sizeBytes > (storageClass === 'blob' ? HEX_RANGE_BYTES : TEXT_RANGE_BYTES);

/** Handles the grid's command once the value is ready. If it cannot be read, the command does not carry over to the next cell. */
function useEditAsked(isReady: boolean, isFailed: boolean, edit: () => void, { editing }: Detail): void {
  const isAsked = useStore((state) => state.detailEditAsked);
  useEffect(() => {
    if (!isAsked || !(isReady || isFailed)) return;
    useStore.setState({ detailEditAsked: false });
    if (isFailed) return;
    if (typeof editing === 'string') notify({ tone: 'info', text: editing });
    else edit();
  });
}

interface ValueActionsProps {
  readonly detail: Detail;
  readonly value: Value;
  readonly isReady: boolean;
  readonly onEdit: () => void;
  readonly onNull: () => void;
  readonly onCompare: () => void;
}

function ValueActions({ detail, value, isReady, onEdit, onNull, onCompare }: ValueActionsProps): ReactNode {
  const { editing, source, sizeBytes } = detail;
  const isFixed = typeof editing === 'string';
  const canBrowse = source.kind === 'cell' && sizeBytes > SHOWN_BYTES;
  return (
    <>
      <div className="value-actions" role="toolbar" aria-label="Value actions">
        {(!isFixed || canBrowse) && (
          <IconButton
            label={isFixed ? 'Show part by part' : 'Edit value'}
            name={isFixed ? 'Parts' : 'Edit'}
            shortcut={commandKeyLabel('value.edit')}
            disabled={!isReady}
            onClick={onEdit}
          >
            <Pencil size={14} />
          </IconButton>
        )}
        {!isFixed && <Replacing detail={detail} value={value} isReady={isReady} onNull={onNull} />}
        <IconButton
          label="Save to file…"
          name="Save"
          disabled={value === null || !isReady}
          onClick={() => void saveValue(detail, value)}
        >
          <FileOutput size={14} />
        </IconButton>
        {source.kind === 'cell' && sizeBytes <= SHOWN_BYTES && (
          <IconButton label="Earlier values" name="Earlier" disabled={!isReady} onClick={onCompare}>
            <History size={14} />
          </IconButton>
        )}
        <IconButton
          label="Copy value"
          name="Copy"
          shortcut={commandKeyLabel('grid.copy')}
          disabled={value === null || !isReady}
          onClick={() => copy(detail, value)}
        >
          <Copy size={14} />
        </IconButton>
      </div>
      {isFixed && <p className="value-note">{visibleText(editing)}</p>}
    </>
  );
}

function copy({ sizeBytes }: Detail, value: Value): void {
  const text = value instanceof Uint8Array ? hexDump(value, value.length, WIDE_HEX) : valueText(value);
  void shell.writeClipboard(text);
  if (sizeBytes > SHOWN_BYTES)
    notify({
      tone: 'warning',
      text: `The first ${formatBytes(SHOWN_BYTES)} were copied. To copy whole values of up to 16 MB, copy the cell in the grid.`,
    });
}

/** Buttons that put another value in its place. */
function Replacing({
  detail,
  value,
  isReady,
  onNull,
}: Pick<ValueActionsProps, 'detail' | 'value' | 'isReady' | 'onNull'>): ReactNode {
  return (
    <>
      <IconButton
        label="Set to NULL"
        name="NULL"
        shortcut={commandKeyLabel('grid.setNull')}
        disabled={value === null || !isReady}
        onClick={onNull}
      >
        <CircleSlash size={14} />
      </IconButton>
      <IconButton label="Load from file…" name="Load" disabled={!isReady} onClick={() => void loadValue(detail)}>
        <FileInput size={14} />
      </IconButton>
    </>
  );
}
