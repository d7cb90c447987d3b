// The editor of the tab in front, for text that is inserted from elsewhere.
import type { TabEditor } from './tab-editor.ts';

let target: TabEditor | null = null;

/** Makes inserted text go there until the returned function is called. */
export function becomeInsertTarget(editor: TabEditor): () => void {
  target = editor;
  return () => {
    if (target === editor) target = null;
  };
}

/** Replaces the selection, as one step of the editor's undo. Returns false if no editor is in front. */
export function insertText(text: string): boolean {
  const view = target?.view;
  if (!view) return false;
  view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true, userEvent: 'input.paste' });
  view.focus();
  return true;
}
