// Edits a whole value in the details: in the form that suits it, saying beforehand what will be stored.
import { useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useStore } from 'zustand';
import { visibleText } from '#shared/visible-text.ts';
import { Button } from '../../../ui/button.tsx';
import { keyLabel } from '../../../workbench/commands/key-map.ts';
import { focusContent } from '../../../workbench/commands/focus-content.ts';
import { shell } from '../../../connection/shell.ts';
import { notify } from '../../../state/store.ts';
import { FormBar } from './form-bar.tsx';
import { JsonTree } from './json-tree.tsx';
import { isSavingKey } from './saving-key.ts';
import { SavesAs } from './saves-as.tsx';
import { TextArea } from './text-area.tsx';
import type { Selected } from './text-area.tsx';
import { changeDraft, dropDraft, isChanged, keepMine, saveDraft, valueDrafts, valueOfDraft } from './value-drafts.ts';
import type { ValueDraft } from './value-drafts.ts';
import { useWriting } from './writing.ts';

interface ValueEditorProps {
  readonly name: string;
  /** It was just opened and takes the focus. */
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

interface ConflictProps {
  readonly draft: ValueDraft;
  readonly isOutdated: boolean;
}

/** Explains what prevents saving, and what to do about it. */
function Conflict({ draft, isOutdated }: ConflictProps): ReactNode {
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
