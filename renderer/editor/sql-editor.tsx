// The SQL editor as a React component: shows a state it is given and hands it back, so that undo outlives the tab's absence.
import { EditorSelection } from '@codemirror/state';
import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useLayoutEffect, useRef } from 'react';
import type { TextRange } from '#shared/split-statements.ts';

/** State with which an editor that is not in the page returns. */
export interface KeptEditor {
  readonly state: EditorState;
  readonly scrollTop: number;
}

interface SqlEditorProps {
  /** Read when the editor appears; it keeps its own from then on. */
  readonly takeState: () => KeptEditor;
  /** The editor is there (a view) or goes away (null, with the state to keep). */
  readonly onView: (view: EditorView | null, kept?: KeptEditor) => void;
  readonly autoFocus: boolean;
}

export function SqlEditor({ takeState, onView, autoFocus }: SqlEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const latest = useRef({ takeState, onView, autoFocus });
  // A layout effect: its clean-up still sees the editor in the page, with its scroll position.
  useLayoutEffect(() => {
    const { takeState, onView, autoFocus } = latest.current;
    const { state, scrollTop } = takeState();
    const view = new EditorView({ state, parent: parent.current! });
    // Has it measured its lines now: otherwise it is painted once with lines of a height that it assumes.
    view.elementAtHeight(0);
    view.scrollDOM.scrollTop = scrollTop;
    if (autoFocus) view.focus();
    onView(view);
    return () => {
      onView(null, { state: view.state, scrollTop: view.scrollDOM.scrollTop });
      view.destroy();
    };
  }, []);
  return <div className="shrink-y clip full-height sql-editor" data-pane ref={parent} />;
}

/** Selects `range`, brings it into view, and gives the editor the focus. */
export function selectRange(view: EditorView, { from, to }: TextRange): void {
  view.dispatch({
    selection: EditorSelection.single(from, to),
    effects: EditorView.scrollIntoView(from, { y: 'nearest' }),
  });
  view.focus();
}

/** Brings `offset` into view with the cursor there. */
export function goToOffset(view: EditorView, offset: number): void {
  const position = Math.min(offset, view.state.doc.length);
  view.dispatch({
    selection: EditorSelection.cursor(position),
    effects: EditorView.scrollIntoView(position, { y: 'center' }),
  });
  view.focus();
}
