// The state of one SQL text: everything the editor can do, and what it leaves out for very long texts.
import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  dropCursor,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  rectangularSelection,
} from '@codemirror/view';
import { visibleLine } from '#shared/visible-text.ts';
import { selectionAndCaret } from './caret-blink.ts';
import { sqlCompletionSource } from './completion.ts';
import { completionKeys } from './completion-keys.ts';
import type { EditorHost } from './editor-host.ts';
import { insight } from './insight.ts';
import { nameInsight } from './name-insight.ts';
import { sqliteDialect } from './sql-dialect.ts';
import { statementGutter } from './statements.ts';
import { sqlTheme } from './theme.ts';
import { withoutCommands } from './text-commands.ts';
import { typeOver } from './type-over.ts';

/** A script longer than this is edited as plain text: parsing it on each key press would be felt. */
const LONG_TEXT_CHARS = 1_000_000;

/** Keys that belong to commands of the window (run, details, what Tab does). */
const KEYS_OF_THE_WINDOW = new Set(['Mod-Enter', 'Mod-i', 'Ctrl-m']);

/** Reconfigured by {@link setWrapping}. */
const wrapping = new Compartment();

export function setWrapping(view: EditorView, wraps: boolean): void {
  view.dispatch({ effects: wrapping.reconfigure(wraps ? EditorView.lineWrapping : []) });
}

export function createEditorState(sql: string, host: EditorHost): EditorState {
  const understanding = new Compartment();
  const understand: Extension = [
    sqliteDialect.extension,
    autocompletion({
      override: [sqlCompletionSource(host)],
      // Names are found in a few milliseconds, so the list need not wait for a pause in typing.
      activateOnTypingDelay: 0,
      maxRenderedOptions: 60,
      defaultKeymap: false,
    }),
    Prec.highest(keymap.of(completionKeys)),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    statementGutter,
    insight(host),
    nameInsight(host),
    foldGutter({ markerDOM: foldMarker }),
  ];
  const isLong = (length: number): boolean => length > LONG_TEXT_CHARS;
  return EditorState.create({
    doc: sql,
    extensions: [
      understanding.of(isLong(sql.length) ? [] : understand),
      EditorState.transactionExtender.of(({ docChanged, startState, newDoc }) => {
        if (!docChanged || isLong(startState.doc.length) === isLong(newDoc.length)) return null;
        return { effects: understanding.reconfigure(isLong(newDoc.length) ? [] : understand) };
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) host.onText(update.state);
      }),
      wrapping.of([]),
      typing,
    ],
  });
}

/**
 * Shows the same codes as all other texts in place of characters that cannot be seen or change the reading direction. The text itself stays
 * unchanged.
 */
const hiddenCharacters = highlightSpecialChars({
  addSpecialChars: /[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u202a-\u202c\u2060-\u206f\u3164\uffa0]/,
  render(code, description) {
    const element = document.createElement('span');
    element.className = 'cm-specialChar';
    element.textContent = visibleLine(String.fromCodePoint(code));
    element.title = description ?? '';
    return element;
  },
});

function foldMarker(isOpen: boolean): HTMLElement {
  const marker = document.createElement('span');
  marker.className = 'cm-fold-marker';
  marker.title = isOpen ? 'Fold' : 'Unfold';
  marker.textContent = isOpen ? '⌄' : '›';
  return marker;
}

/** Replaces CodeMirror's phrases that are in lower case or short. */
const PHRASES = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole word',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
  'folded code': 'Folded code',
  unfold: 'Unfold',
};

const typing: Extension = [
  lineNumbers(),
  history(),
  selectionAndCaret,
  hiddenCharacters,
  dropCursor(),
  rectangularSelection(),
  EditorState.allowMultipleSelections.of(true),
  indentUnit.of('  '),
  // It takes the focus without `tabindex` too, but tools that look for a way into what scrolls do not know.
  EditorView.contentAttributes.of({ 'aria-label': 'SQL', spellcheck: 'false', tabindex: '0', 'data-scope': 'text' }),
  placeholder('SELECT …'),
  typeOver,
  search({ top: false }),
  EditorState.phrases.of(PHRASES),
  keymap.of([
    ...closeBracketsKeymap,
    ...withoutCommands(defaultKeymap.filter(({ key }) => !KEYS_OF_THE_WINDOW.has(key ?? ''))),
    ...withoutCommands(searchKeymap.filter(({ key }) => !KEYS_OF_THE_WINDOW.has(key ?? ''))),
    ...historyKeymap,
    ...withoutCommands(foldKeymap),
    indentWithTab,
  ]),
  sqlTheme,
  EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''),
];
