// The state of one SQL text: everything the editor can do, and what it leaves out for very long texts.
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  selectedCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  rectangularSelection,
  ViewPlugin,
} from '@codemirror/view';
import { visibleLine } from '#shared/visible-text.ts';
import type { KeyBinding, PluginValue, ViewUpdate } from '@codemirror/view';
import { sqlCompletionSource } from './completion.ts';
import type { Completion } from '@codemirror/autocomplete';
import type { EditorHost } from './editor-host.ts';
import { insight } from './insight.ts';
import { nameInsight } from './name-insight.ts';
import { sqliteDialect } from './sql-dialect.ts';
import { statementGutter } from './statements.ts';
import { tags } from '@lezer/highlight';
import { withoutCommands } from './text-commands.ts';

/**
 * Typing over selected text. Left to itself, Chromium carries the colors of what is replaced over as inline
 * styles, which the policy of the page refuses.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    if (inputType !== 'insertText' || data === null || isComposing || view.state.readOnly) return false;
    const { main } = view.state.selection;
    const { from, to } = main.empty ? (selectedInPage(view) ?? main) : main;
    if (from === to) return false;
    const insert = () =>
      view.state.update(
        main.empty
          ? { changes: { from, to, insert: data }, selection: { anchor: from + data.length } }
          : view.state.replaceSelection(data),
        { userEvent: 'input.type', scrollIntoView: true },
      );
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

/** Selection of the page. The editor hears of a new selection later than of what is typed right after it. */
function selectedInPage(view: EditorView): { readonly from: number; readonly to: number } | null {
  const selection = document.getSelection();
  const { anchorNode, focusNode } = selection ?? {};
  if (!selection || selection.isCollapsed || !anchorNode || !focusNode) return null;
  if (!view.contentDOM.contains(anchorNode) || !view.contentDOM.contains(focusNode)) return null;
  const ends = [view.posAtDOM(anchorNode, selection.anchorOffset), view.posAtDOM(focusNode, selection.focusOffset)];
  return { from: Math.min(...ends), to: Math.max(...ends) };
}

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--bg)', fontSize: 'var(--sql-font-size, 13px)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: 'calc(var(--sql-font-size, 13px) + 7px)' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '1.5px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--sel)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--glow)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-bg)',
    color: 'var(--accent-text)',
  },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': {
    backgroundColor: 'transparent',
    color: 'var(--warn)',
  },
  '.cm-gutters': { backgroundColor: 'var(--bg)', color: 'var(--faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': {
    padding: '0 8px 0 12px',
    minWidth: '36px',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-gutterElement.cm-statement-here': { boxShadow: 'inset -2px 0 0 var(--accent)', color: 'var(--dim)' },
  '.cm-foldGutter .cm-gutterElement': { width: '12px', padding: '0', cursor: 'pointer', textAlign: 'center' },
  // Open ones would be a column of arrows: they show when the mouse is near.
  '.cm-foldGutter .cm-fold-marker[title="Fold"]': { opacity: '0' },
  '.cm-gutters:hover .cm-foldGutter .cm-fold-marker[title="Fold"]': { opacity: '1' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--accent-bg)',
    color: 'var(--accent-text)',
    border: 'none',
    borderRadius: '4px',
    padding: '0 6px',
    margin: '0 2px',
  },
  '.cm-placeholder': { color: 'var(--dim)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raise)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12.5px', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '20px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--sel)',
    color: 'var(--text)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent-text)', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--dim)', fontStyle: 'normal', marginLeft: '14px' },
  '.cm-completionIcon': { color: 'var(--dim)', opacity: '1', width: '1.1em' },
  // Letters, because the library's symbols are missing from many fonts.
  '.cm-completionIcon-class::after': { content: '"T"' },
  '.cm-completionIcon-property::after': { content: '"C"' },
  '.cm-completionIcon-variable::after': { content: '"A"' },
  '.cm-completionIcon-function::after': { content: '"ƒ"' },
  '.cm-completionIcon-keyword::after': { content: '"K"' },
  '.cm-completionIcon-type::after': { content: '"t"' },
  '.cm-completionIcon-text::after': { content: '"="' },
  '.cm-diagnostic': { fontFamily: 'var(--ui)', padding: '5px 10px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--error)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--error)',
    textUnderlineOffset: '3px',
  },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--text)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { fontFamily: 'var(--ui)', padding: '6px 28px 6px 10px' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    fontSize: '12px',
    color: 'var(--dim)',
    verticalAlign: 'middle',
  },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0 4px 0 6px' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--dim)', fontSize: '18px', right: '8px' },
  '.cm-textfield': {
    backgroundColor: 'var(--bg)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '5px',
    fontSize: '12.5px',
    padding: '3px 7px',
  },
  '.cm-button': {
    backgroundColor: 'var(--raise)',
    backgroundImage: 'none',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '5px',
    fontSize: '12px',
    padding: '2px 8px',
  },
  '.cm-specialChar': { color: 'var(--warn)' },
  '.cm-searchMatch': { backgroundColor: 'var(--glow)' },
  '.cm-searchMatch.cm-searchMatch-selected': {
    backgroundColor: 'var(--accent-bg)',
    outline: '1px solid var(--accent)',
  },
});

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--kw)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--str)' },
  { tag: tags.special(tags.string), color: 'var(--text)' },
  { tag: [tags.number, tags.bool], color: 'var(--num)' },
  { tag: tags.null, color: 'var(--kw)' },
  { tag: tags.standard(tags.name), color: 'var(--fn)' },
  { tag: tags.typeName, color: 'var(--fn)' },
  { tag: tags.special(tags.name), color: 'var(--warn)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--dim)', fontStyle: 'italic' },
  { tag: [tags.operator, tags.punctuation], color: 'var(--text)' },
]);

/** How SQL looks: every color is a token of the interface, so that light and dark need no second theme. */
const sqlTheme: Extension = [theme, syntaxHighlighting(colors)];

/** Enter after a name that is written out means a new line, whether or not the list had time to open. */
function acceptOrBreakLine(view: EditorView): boolean {
  const chosen = selectedCompletion(view.state);
  if (!chosen || !isWritten(view.state, chosen)) return acceptCompletion(view);
  closeCompletion(view);
  return false;
}

/** Whether picking it would insert nothing: its text is before the cursor. A snippet has more than its label. */
function isWritten(state: EditorState, { label, apply, type }: Completion): boolean {
  if (type === 'function') return false;
  const text = typeof apply === 'string' ? apply : label;
  const { head } = state.selection.main;
  const before = state.sliceDoc(Math.max(0, head - text.length), head);
  return before.toLowerCase() === text.toLowerCase();
}

const completionKeys: readonly KeyBinding[] = [
  { key: 'Enter', run: acceptOrBreakLine },
  { key: 'Tab', run: acceptCompletion },
  ...completionKeymap.filter(({ key }) => key !== 'Enter'),
];

/**
 * Blinks the caret by a timer. CodeMirror's own blinking is an endless animation, for which the window draws every frame: 4 % of a core in
 * software while nothing happens.
 */
const HALF_MS = 600;
const LAYER = 'cm-cursorLayer';

class CaretBlink implements PluginValue {
  readonly #view: EditorView;
  #timer = 0;

  constructor(view: EditorView) {
    this.#view = view;
    this.#restart();
  }

  update({ docChanged, selectionSet, focusChanged }: ViewUpdate): void {
    if (docChanged || selectionSet || focusChanged) this.#restart();
  }

  destroy(): void {
    clearInterval(this.#timer);
  }

  /** The caret stays visible while it moves. */
  #restart(): void {
    clearInterval(this.#timer);
    this.#show(true);
    if (!this.#view.hasFocus || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let isShown = true;
    this.#timer = window.setInterval(() => this.#show((isShown = !isShown)), HALF_MS);
  }

  #show(isShown: boolean): void {
    const layer = this.#view.scrollDOM.querySelector<HTMLElement>(`:scope > .${LAYER}`);
    if (layer) layer.style.visibility = isShown ? '' : 'hidden';
  }
}

/** Selections and carets as CodeMirror draws them, the caret blinking by a timer. */
const selectionAndCaret: Extension = [
  drawSelection({ cursorBlinkRate: 0 }),
  EditorView.theme({ [`&.cm-focused > .cm-scroller > .${LAYER}`]: { animation: 'none' } }),
  ViewPlugin.fromClass(CaretBlink),
];

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
