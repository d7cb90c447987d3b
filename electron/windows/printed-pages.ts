// Lays texts and pictures out as the pages of a PDF, in a hidden window that has nothing else: no preload, no network, no HTML but a fixed
// empty page.
import { randomUUID } from 'node:crypto';
import { app, BrowserWindow, session } from 'electron';
import type { Session } from 'electron';
import type { PrintedPages, PrintedPdf } from '#shared/printing.ts';
import { serveScheme } from '../compat.ts';
import { log } from '../crash.ts';
import { refuseDownloads } from '../security/navigation.ts';
import { denyPermissions } from '../security/permissions.ts';
import { DOCUMENT_SCHEME } from './document-scheme.ts';
import type { AppWindow } from './registry.ts';

const PAGE = new TextEncoder().encode(
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Pages</title><body>',
);
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Type': 'text/html',
  'Content-Security-Policy':
    "default-src 'none'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'",
};

const STYLE = `
  body { margin: 0; color: #000; font: 9pt/1.35 system-ui, sans-serif; }
  header { padding-bottom: 8pt; }
  h1 { margin: 0 0 2pt; font-size: 14pt; overflow-wrap: anywhere; }
  p { margin: 0 0 2pt; color: #444; overflow-wrap: anywhere; unicode-bidi: isolate; }
  table { border-collapse: collapse; }
  .next { break-before: page; }
  th, td { padding: 2pt 4pt; border: 0.5pt solid #999; text-align: left; vertical-align: top; white-space: pre-wrap;
    overflow-wrap: break-word; unicode-bidi: isolate; }
  .short { white-space: pre; }
  .breaking th { white-space: pre-wrap; }
  .breaking td:not(.short), .words th, .tight :is(th, td) { white-space: pre-wrap; overflow-wrap: anywhere; }
  .breaking td:not(.short) { min-width: 14em; }
  .narrow td:not(.short) { min-width: 6em; }
  .words td.short { white-space: pre-wrap; }
  .tight td:not(.short) { min-width: 0; }
  .small table { font-size: 6.5pt; }
  .smallest table { font-size: 5pt; }
  th { border-bottom: 1pt solid #000; font-weight: 600; }
  .number { text-align: right; font-variant-numeric: tabular-nums; }
  .null { color: #666; font-style: italic; }
  tr { break-inside: avoid; }
  img { display: block; }
  pre { margin: 0; font: 8.5pt/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/**
 * Everything becomes the text of an element or an image, where SVG runs nothing and loads nothing; never markup. Rows are laid out once, and then put into a table for each page: Chromium takes
 * time that grows with the square of the rows to break one table into pages.
 */
const LAY_OUT = `(pages, { width, height }) => {
  const add = (parent, name, text, className) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    parent.append(element);
    return element;
  };
  const { body } = document;
  body.style.width = width + 'px';
  const header = add(body, 'header');
  add(header, 'h1', pages.title);
  for (const line of [pages.subtitle, ...pages.notes]) add(header, 'p', line);
  const { content } = pages;
  if (content.kind === 'text') return void add(body, 'pre', content.text);
  const sizeOf = (element) => element.getBoundingClientRect();
  if (content.kind === 'picture') {
    const picture = add(body, 'img');
    const left = height - sizeOf(header).height;
    picture.width = content.width * Math.min(1, width / content.width, left / content.height);
    picture.src = 'data:image/svg+xml,' + encodeURIComponent(content.svg);
    return picture.decode();
  }
  const whole = add(body, 'table');
  whole.style.width = '100%';
  const names = add(add(whole, 'thead'), 'tr');
  const classes = content.columns.map(({ isNumeric }, at) => {
    const isShort = content.rows.every((row) => (row[at] ?? '').length <= 20);
    return (isNumeric ? 'number ' : '') + (isShort ? 'short' : '');
  });
  content.columns.forEach(({ name }, at) => add(names, 'th', name, classes[at]));
  const all = add(whole, 'tbody');
  for (const row of content.rows) {
    const line = add(all, 'tr');
    row.forEach((cell, at) => add(line, 'td', cell ?? 'NULL', classes[at] + (cell === null ? ' null' : '')));
  }
  // Short values and names stay whole as long as there is room for that: long texts get narrower first, in small letters if need be.
  const ways = ['', 'small', 'small narrow', 'small narrow words', 'smallest narrow words', 'smallest tight'];
  for (const way of ways) if (sizeOf(whole).width > width + 1) body.className = 'breaking ' + way;
  const widths = [...names.children].map((name) => sizeOf(name).width);
  const rows = [...all.children].map((line) => [line, sizeOf(line).height]);
  const headHeight = sizeOf(names).height;
  let left = height - sizeOf(header).height - headHeight;
  const begin = () => {
    const table = add(body, 'table', undefined, body.querySelector('.page') ? 'page next' : 'page');
    table.style.tableLayout = 'fixed';
    table.style.width = width + 'px';
    const columns = add(table, 'colgroup');
    for (const wide of widths) add(columns, 'col').style.width = wide + 'px';
    add(table, 'thead').append(names.cloneNode(true));
    return add(table, 'tbody');
  };
  let page = begin();
  for (const [line, high] of rows) {
    if (high > left && page.firstChild) {
      page = begin();
      left = height - headHeight;
    }
    page.append(line);
    left -= high;
  }
  whole.remove();
}`;

/** Fixed: the number of each page. */
const FOOTER =
  '<div style="width: 100%; font: 7pt sans-serif; text-align: center"><span class="pageNumber"></span> / <span class="totalPages"></span></div>';
/** More columns than this get the wide side of the paper. */
const UPRIGHT_COLUMNS = 6;
/** Countries whose printers have Letter (Unicode CLDR, measurement data). */
const LETTER_COUNTRIES = new Set(['US', 'CA', 'MX', 'PH', 'CL', 'CO', 'CR', 'GT', 'PA', 'PR', 'SV', 'VE']);

const INCH_PX = 96;
const PAPERS = { Letter: { width: 8.5, height: 11 }, A4: { width: 8.27, height: 11.69 } } as const;
const MARGINS = { top: 0.5, bottom: 0.6, left: 0.5, right: 0.5 } as const;
/** Text on paper can be a little wider than on a screen, and break into more lines. */
const USED_SHARE = 0.97;

let pagesSession: Session | null = null;

let last: Promise<unknown> = Promise.resolve();

const TOO_LARGE = 'The pages are too large to be laid out. Print fewer rows or columns.';
/** Most pages take seconds. */
const MAX_MS = 120_000;

/** Lays out one after another. The work ends with the window that asked, and with the process that does it; others wait no longer. */
export function pdfOf(pages: PrintedPages, { browserWindow: owner }: AppWindow): Promise<PrintedPdf> {
  const made = last.then(() => layOut(pages, owner));
  last = made.catch(() => undefined);
  return made;
}

async function layOut(pages: PrintedPages, owner: BrowserWindow): Promise<PrintedPdf> {
  if (owner.isDestroyed()) return { why: 'The window was closed.' };
  pagesSession ??= createSession();
  const window = new BrowserWindow({
    show: false,
    webPreferences: {
      session: pagesSession,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      spellcheck: false,
    },
  });
  let end: (why: string) => void = () => undefined;
  // Electron never answers what it asked of a page that is gone.
  const ended = new Promise<PrintedPdf>((resolve) => (end = (why) => resolve({ why })));
  const closed = (): void => end('The window was closed.');
  owner.once('closed', closed);
  window.webContents.once('render-process-gone', () => end(TOO_LARGE));
  const timer = setTimeout(() => end(TOO_LARGE), MAX_MS);
  const made = printed(window, pages).catch((error: unknown) => {
    if (!window.isDestroyed()) log(`could not print ${pages.content.kind}: ${String(error)}`);
    return { why: TOO_LARGE };
  });
  try {
    return await Promise.race([made, ended]);
  } finally {
    clearTimeout(timer);
    owner.off('closed', closed);
    if (!window.isDestroyed()) window.destroy();
  }
}

async function printed(window: BrowserWindow, pages: PrintedPages): Promise<Uint8Array> {
  const { webContents } = window;
  await window.loadURL(`${DOCUMENT_SCHEME}://${randomUUID()}/pages`);
  await webContents.insertCSS(STYLE);
  const { content } = pages;
  const isWide =
    (content.kind === 'rows' && content.columns.length > UPRIGHT_COLUMNS) ||
    (content.kind === 'picture' && content.width > content.height);
  const pageSize = LETTER_COUNTRIES.has(app.getLocaleCountryCode()) ? 'Letter' : 'A4';
  const room = JSON.stringify(roomOn(PAPERS[pageSize], isWide));
  await webContents.executeJavaScript(`Promise.resolve((${LAY_OUT})(${JSON.stringify(pages)}, ${room})).then(() => 0)`);
  return await webContents.printToPDF({
    ...{ landscape: isWide, pageSize, margins: MARGINS },
    displayHeaderFooter: true,
    headerTemplate: '<span></span>',
    footerTemplate: FOOTER,
  });
}

/** Pixels between the margins. */
function roomOn(paper: (typeof PAPERS)[keyof typeof PAPERS], isWide: boolean): { width: number; height: number } {
  const [across, down] = isWide ? [paper.height, paper.width] : [paper.width, paper.height];
  return {
    width: Math.floor((across - MARGINS.left - MARGINS.right) * INCH_PX) - 1,
    height: Math.floor((down - MARGINS.top - MARGINS.bottom) * INCH_PX * USED_SHARE),
  };
}

/** In memory, and without access to anything. */
function createSession(): Session {
  const own = session.fromPartition('printed-pages', { cache: false });
  for (const guard of [denyPermissions, refuseDownloads]) guard(own);
  serveScheme(DOCUMENT_SCHEME, () => Promise.resolve({ status: 200, headers: HEADERS, body: PAGE }), own.protocol);
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !url.startsWith(`${DOCUMENT_SCHEME}:`) }));
  return own;
}
