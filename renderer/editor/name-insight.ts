// Finds what the name under the mouse or the cursor stands for: shown in a hover, gone to, renamed everywhere.
import { EditorSelection } from '@codemirror/state';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, hoverTooltip } from '@codemirror/view';
import type { Tooltip } from '@codemirror/view';
import type { EditorHost } from './editor-host.ts';
import { meaningAt, referencesAt } from './scope/meaning.ts';
import type { Meaning } from './scope/meaning.ts';
import './name-insight.css';

export function nameInsight(host: EditorHost): Extension {
  return [
    hoverTooltip((view, position) => tooltipAt(view.state, position, host)),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
        return position !== null && goToDefinition(view, position, host);
      },
    }),
  ];
}

function tooltipAt(state: EditorState, position: number, host: EditorHost): Tooltip | null {
  const meaning = meaningAt(state.doc.toString(), position, host.columns());
  if (!meaning) return null;
  return { pos: meaning.from, end: meaning.to, above: true, create: () => ({ dom: cardOf(meaning) }) };
}

function cardOf({ title, lines }: Meaning): HTMLElement {
  const card = document.createElement('div');
  card.className = 'break-words small cm-name-card';
  for (const [at, text] of [title, ...lines].entries()) {
    const line = document.createElement('div');
    line.className = at === 0 ? 'strong' : 'dim';
    line.textContent = text;
    card.append(line);
  }
  return card;
}

/** Goes to the place in the text that defines the name, or else to the table. @returns false if the name is not known */
export function goToDefinition(view: EditorView, position: number, host: EditorHost): boolean {
  const meaning = meaningAt(view.state.doc.toString(), position, host.columns());
  if (meaning?.definition) {
    const { from, to } = meaning.definition;
    view.dispatch({ selection: EditorSelection.single(from, to), scrollIntoView: true });
  } else if (meaning?.table) host.openTable(meaning.table);
  return Boolean(meaning?.definition ?? meaning?.table);
}

/** Puts a cursor on each use of an alias or a CTE in the statement: what is typed then renames it. @returns false if it is neither */
export function selectReferences(view: EditorView): boolean {
  const ranges = referencesAt(view.state.doc.toString(), view.state.selection.main.head);
  if (ranges.length === 0) return false;
  const selected = ranges.map(({ from, to }) => EditorSelection.range(from, to));
  view.dispatch({ selection: EditorSelection.create(selected, 0), scrollIntoView: true });
  return true;
}
