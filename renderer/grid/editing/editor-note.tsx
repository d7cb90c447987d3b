// A message about the text in a cell editor, with choices: shown under the field, reached from it with Tab.
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import type { EditNews } from './cell-editing.ts';

export interface NoteChoice {
  readonly label: string;
  run(): void;
}

interface EditorNoteProps {
  readonly id: string;
  readonly choices: readonly NoteChoice[];
  readonly children: ReactNode;
  /** Returns the focus to the text. */
  onLeave(): void;
}

const CHOICE = 'grid-editor-choice';

export function EditorNote({ id, choices, children, onLeave }: EditorNoteProps): ReactElement {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const isAtEnd = event.target === event.currentTarget.querySelector(`.${CHOICE}:last-of-type`);
    event.stopPropagation();
    if (event.key !== 'Escape' && !(event.key === 'Tab' && !event.shiftKey && isAtEnd)) return;
    event.preventDefault();
    onLeave();
  };
  return (
    <div id={id} className="grid-editor-note" role="alert" onKeyDown={onKeyDown}>
      <p>{children}</p>
      {choices.map((choice) => (
        <button key={choice.label} type="button" className={CHOICE} onClick={() => choice.run()}>
          {choice.label}
        </button>
      ))}
    </div>
  );
}

interface NewsNoteProps {
  readonly id: string;
  readonly news: EditNews;
  onKeepMine(): void;
  onCopy(): void;
  /** Closes the editor without storing anything. */
  onGiveUp(): void;
  onLeave(): void;
}

/** Shows what others did to the cell while it was being edited. */
export function NewsNote({ id, news, onKeepMine, onCopy, onGiveUp, onLeave }: NewsNoteProps): ReactElement {
  if (news.kind === 'changed') {
    const choices = [
      { label: 'Keep mine', run: onKeepMine },
      { label: 'Take theirs', run: onGiveUp },
    ];
    return (
      <EditorNote id={id} choices={choices} onLeave={onLeave}>
        Changed in the meantime to “{news.text}”
      </EditorNote>
    );
  }
  const copyAndClose = (): void => {
    onCopy();
    onGiveUp();
  };
  const choices = [
    { label: 'Copy the text', run: copyAndClose },
    { label: 'Close', run: onGiveUp },
  ];
  return (
    <EditorNote id={id} choices={choices} onLeave={onLeave}>
      This row was deleted in the meantime.
    </EditorNote>
  );
}

/** Returns false if there is no choice. */
export function focusFirstChoice(field: HTMLElement): boolean {
  const first = field.parentElement?.querySelector<HTMLElement>(`.${CHOICE}`);
  first?.focus();
  return first != null;
}
