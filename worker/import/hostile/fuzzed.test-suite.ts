// Everything that reads bytes from outside, with valid inputs to begin with.
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import { readRecipes } from '#shared/import/recipes.ts';
import { parseSettings, readSettings } from '#shared/settings/read-settings.ts';
import { decodeValue } from '../../engines/remote/hrana/values.ts';
import {
  readCursorEntry,
  readCursorHead,
  readPipelineReply,
  readServerError,
} from '../../engines/remote/hrana/messages.ts';
import { readChangeset } from '../../history/patch/import-patch.ts';
import { checkHeader } from '../../library/file-header.ts';
import { detectSource } from '../detect-source.ts';
import { readFirst } from '../first-records.ts';
import { formatOf } from '../formats.ts';
import { plainOptions } from '../plain-options.ts';
import { pyarrowFile } from '../parquet/pyarrow-file.test-suite.ts';
import { bytesSource } from '../read-all.test-suite.ts';
import type { ReadingLimits } from '../reading-limits.ts';
import { readDump } from '../sql/dump-reader.ts';
import { workbook } from '../xlsx/made-workbook.test-suite.ts';
import { ENCODING, joined, levels, madeParquet, run, TYPE, varint } from './made-parquet.test-suite.ts';
import { clientOf, faultOf, faultOfText } from './read-bomb.test-suite.ts';

export interface Fuzzed {
  readonly name: string;
  readonly inputs: readonly Uint8Array[];
  /** @throws whatever the product shows to a person, and what it must not */
  readonly read: (bytes: Uint8Array) => Promise<void>;
}

const MB = 1 << 20;
const LIMITS: ReadingLimits = {
  recordBytes: MB,
  statementBytes: MB,
  recordFields: 5000,
  keptBytes: 4 * MB,
  describingBytes: MB,
  described: 10_000,
  footerValues: 100_000,
  pagesBytes: 16 * MB,
  pageBytes: 4 * MB,
  nestedValues: 100_000,
};

const text = (...texts: readonly string[]): readonly Uint8Array[] => texts.map((one) => new TextEncoder().encode(one));

/** What a file is, and all its records, to some end. */
const reads =
  (fileName: string, format?: 'csv' | 'json' | 'ndjson' | 'xlsx' | 'parquet') =>
  async (bytes: Uint8Array): Promise<void> => {
    const source = bytesSource(bytes, fileName);
    const found = await detectSource(clientOf(source), { kind: 'file', token: 'chosen' }, {}).catch(
      (error: unknown) => {
        const fault = faultOf(error);
        if (fault !== null) throw error;
        return null;
      },
    );
    const options = found?.options ?? plainOptions(format ?? 'csv', { hasHeader: true });
    if (options.format === 'sql' || options.format === 'sqlite') return;
    for (const isFirst of [true, false]) {
      const reader = await formatOf(options.format).read(source, options, LIMITS);
      if (isFirst) {
        await readFirst(reader, 100);
        continue;
      }
      for (let batches = 0; batches < 200; batches++) {
        const batch = await reader.next();
        for (const { reason } of reader.takeProblems()) {
          const fault = faultOfText(reason);
          if (fault !== null) throw new Error(fault);
        }
        reader.takeNotices?.();
        if (batch === null) break;
      }
    }
  };

const DUMPS: Readonly<Record<SqlDialect, readonly string[]>> = {
  sqlite: [
    "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BLOB);\nINSERT INTO t VALUES(1,'it''s',X'00ff');\nINSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','n','n',0,'CREATE VIRTUAL TABLE n USING fts5(a)');\nCREATE TRIGGER x AFTER INSERT ON t BEGIN UPDATE t SET a = 1; -- c\nEND;\nCOMMIT;\n",
  ],
  mysql: [
    "-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */;\nDROP TABLE IF EXISTS `t`;\nCREATE TABLE `t` (\n  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,\n  `a` varchar(20) DEFAULT 'x\\'y' COMMENT 'c',\n  `e` enum('a','b'),\n  `b` blob,\n  `d` decimal(10,2),\n  PRIMARY KEY (`id`),\n  KEY `k` (`a`(10)),\n  CONSTRAINT `f` FOREIGN KEY (`a`) REFERENCES `u` (`id`) ON DELETE CASCADE\n) ENGINE=InnoDB AUTO_INCREMENT=5;\nLOCK TABLES `t` WRITE;\nINSERT INTO `t` VALUES (1,'it\\'s',NULL,_binary '\\0\\n',1.50),(2,\"q\",'a',0x00ff,b'101');\nALTER TABLE `t` ADD UNIQUE KEY `u` (`a`);\nDELIMITER ;;\nCREATE TRIGGER `x` BEFORE INSERT ON `t` FOR EACH ROW SET NEW.a = 1;;\nDELIMITER ;\n",
  ],
  postgresql: [
    "-- PostgreSQL database dump\nSET client_encoding = 'UTF8';\nCREATE TYPE public.mood AS ENUM ('sad', 'ok');\nCREATE TABLE public.t (\n    id integer DEFAULT nextval('s'::regclass) NOT NULL,\n    a character varying(20) DEFAULT 'x'::character varying,\n    b bytea,\n    c timestamp with time zone,\n    CONSTRAINT k CHECK ((id > 0))\n);\nCREATE SEQUENCE public.s START WITH 1;\nCOPY public.t (id, a, b, c) FROM stdin;\n1\tit\\ts\t\\\\x00ff\t\\N\n2\t\\N\t\t2026-01-01\n\\.\nINSERT INTO public.t VALUES (3, E'a\\nb', '\\x00'::bytea, NULL), (4, U&'\\00e9', $q$x$q$, DEFAULT);\nALTER TABLE ONLY public.t ADD CONSTRAINT p PRIMARY KEY (id);\nSELECT pg_catalog.setval('public.s', 4, true);\nCREATE INDEX i ON public.t USING btree (lower((a)::text));\n",
  ],
  tsql: [
    "SET ANSI_NULLS ON\nGO\nCREATE TABLE [dbo].[t](\n\t[id] [int] IDENTITY(1,1) NOT NULL,\n\t[a] [nvarchar](max) NULL,\n\t[d] [datetime2](7) NULL,\n CONSTRAINT [PK] PRIMARY KEY CLUSTERED ([id] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY]\n) ON [PRIMARY]\nGO\nSET IDENTITY_INSERT [dbo].[t] ON\nINSERT [dbo].[t] ([id], [a], [d]) VALUES (1, N'it''s', CAST(N'2026-01-01T00:00:00.0000000' AS DateTime2)), (2, NULL, 0x00FF)\nGO\nALTER TABLE [dbo].[t] ADD DEFAULT ((0)) FOR [a]\nGO\n",
  ],
};

const dumps = (dialect: SqlDialect): Fuzzed => ({
  name: `${dialect} dump`,
  inputs: text(...DUMPS[dialect]),
  async read(bytes) {
    const source = bytesSource(bytes, 'dump.sql');
    const reader = await readDump(source, { dialect, encoding: null, existing: new Map() }, () => undefined);
    while ((await reader.next()) !== null);
    reader.finish();
  },
});

const CELLS = [
  { a: 1, b: 'text', c: null, d: [1, { e: 'ü😀' }], f: true },
  { a: -1.5e10, b: 'a "quoted" \\ text', g: {} },
];

function parquetFiles(): readonly Uint8Array[] {
  const rows = Array.from({ length: 200 }, (_, at) => at);
  const written = (['UNCOMPRESSED', 'SNAPPY'] as const).map(
    (codec) =>
      new Uint8Array(
        parquetWriteBuffer({
          columnData: [
            { name: 'id', data: rows, type: 'INT32', nullable: false },
            {
              name: 'word',
              data: rows.map((row) => (row % 7 === 0 ? null : `word ${row % 9}`)),
              type: 'STRING',
              nullable: true,
            },
            { name: 'real', data: rows.map((row) => row / 3), type: 'DOUBLE' },
            { name: 'flag', data: rows.map((row) => row % 2 === 0), type: 'BOOLEAN' },
          ],
          codec,
          rowGroupSize: 120,
          pageSize: 200,
        }),
      ),
  );
  const deltas = joined(varint(128), varint(4), varint(1), varint(8));
  const made = madeParquet(
    [
      { name: 'n', type: TYPE.int64, pages: [{ values: 1, bytes: deltas, encoding: ENCODING.deltaBinary }] },
      {
        name: 't',
        pages: [{ values: 1, bytes: joined(deltas, deltas, new Uint8Array(9)), encoding: ENCODING.deltaByteArray }],
      },
      { name: 'o', isOptional: true, pages: [{ values: 1, bytes: levels(1, 0) }] },
      {
        name: 'd',
        pages: [
          { values: 1, bytes: Uint8Array.of(1, 0, 0, 0, 0x78), isDictionary: true },
          { values: 1, bytes: joined(Uint8Array.of(1), run(1, 0)), encoding: ENCODING.dictionary },
        ],
      },
    ],
    1,
  );
  return [pyarrowFile(), ...written, made];
}

function sqliteHeader(): Uint8Array {
  const bytes = new Uint8Array(4096);
  bytes.set(new TextEncoder().encode('SQLite format 3\0'));
  bytes.set([0x10, 0, 1, 1, 0, 0x40, 0x20, 0x20, 0, 0, 0, 1, 0, 0, 0, 1], 16);
  bytes.set([0, 0, 0, 4], 44);
  bytes.set([0, 0, 0, 1], 56);
  return bytes;
}

/** A table of two columns, and a change of each kind. */
const changeset = (): Uint8Array =>
  joined(
    Uint8Array.of(0x54, 2, 1, 0, 0x74, 0),
    Uint8Array.of(18, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 3, 3, 0x61, 0x62, 0x63),
    Uint8Array.of(23, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 5, 0, 4, 2, 0, 255),
    Uint8Array.of(9, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 63, 240, 0, 0, 0, 0, 0, 0),
  );

const RECIPE = {
  fileName: 'orders.csv',
  savedAtMs: 1,
  options: plainOptions('csv'),
  target: { database: null, databaseName: 'a', kind: 'table', newTable: '', strict: false, table: 't', mode: 'append', key: [], existing: 'skip' },
  columns: [{ source: 'id', name: 'id', type: 'INTEGER', isTypeChosen: true, notNull: false, primaryKey: true, defaultSql: '', expression: '' }],
}; // prettier-ignore

const HRANA = [
  { baton: null, base_url: null, results: [{ type: 'ok', response: { type: 'execute', result: { cols: [{ name: 'a', decltype: 'TEXT' }], rows: [[{ type: 'integer', value: '1' }, { type: 'blob', base64: 'AA==' }]], affected_row_count: 0, last_insert_rowid: '1', replication_index: '1' } } }, { type: 'error', error: { message: 'no such table: t', code: 'SQLITE_ERROR' } }] },
  { type: 'row', row: [{ type: 'text', value: 'a' }, { type: 'float', value: 1.5 }, { type: 'null' }] },
  { type: 'step_begin', step: 0, cols: [{ name: 'a', decltype: null }] },
  { type: 'step_end', affected_row_count: 1, last_insert_rowid: '3' },
  { type: 'step_error', step: 0, error: { message: 'm', code: 'c' } },
]; // prettier-ignore

const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export const FUZZED: readonly Fuzzed[] = [
  {
    name: 'csv',
    inputs: [
      ...text(
        'id,name,note\n1,"Ann, ""A""",x\n2,Bob,"two\nlines"\n3,,\n',
        "sep=;\na;b\n1,5;'x'\n",
        '# title\n\na|b\n1\\|2|3\n',
        `a\tb\n${'1\t2\n'.repeat(200)}`,
      ),
      new Uint8Array(Buffer.from('\ufeffä,ö\n1,"ü"\n', 'utf16le')),
      new Uint8Array(Buffer.from('a,b\n\xe4,\xff\n', 'latin1')),
    ],
    read: reads('orders.csv', 'csv'),
  },
  { name: 'json', inputs: text(JSON.stringify(CELLS), JSON.stringify({ head: 1, rows: CELLS, more: [[1, 'x']] }), JSON.stringify([['a', 'b'], [1, 2]])), read: reads('rows.json', 'json') }, // prettier-ignore
  { name: 'ndjson', inputs: text(CELLS.map((cell) => JSON.stringify(cell)).join('\n')), read: reads('rows.ndjson', 'ndjson') }, // prettier-ignore
  {
    name: 'xlsx',
    inputs: [false, true].map((is64) =>
      workbook(
        {
          rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c t="inlineStr"><is><t>b &amp; c</t></is></c></row><row r="2"><c s="1"><v>45000.5</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>',
          strings: '<si><t>a_x000D_</t></si><si><r><t>b</t></r></si>',
          formats: ['General', 'yyyy-mm-dd hh:mm'],
        },
        is64,
      ),
    ),
    read: reads('book.xlsx', 'xlsx'),
  },
  { name: 'parquet', inputs: parquetFiles(), read: reads('rows.parquet', 'parquet') },
  ...(['sqlite', 'mysql', 'postgresql', 'tsql'] as const).map(dumps),
  {
    name: 'sqlite header',
    inputs: [sqliteHeader()],
    async read(bytes) {
      checkHeader(bytes, { fileName: 'a.db', sizeBytes: bytes.length, walSizeBytes: 0 });
    },
  },
  {
    name: 'changeset',
    inputs: [changeset()],
    async read(bytes) {
      let changes = 0;
      for (const change of readChangeset(bytes)) if (change.columnCount > 0 && ++changes > 100_000) break;
    },
  },
  {
    name: 'recipes',
    inputs: text(JSON.stringify([RECIPE, RECIPE])),
    async read(bytes) {
      readRecipes(parsed(decoded(bytes)));
    },
  },
  {
    name: 'settings',
    inputs: text('{"theme": "dark", "keys": {"save": ["Ctrl+S"]}, "density": 1, "fontSize": 12.5}'),
    async read(bytes) {
      const chosen = parseSettings(decoded(bytes));
      for (const { message } of chosen ? readSettings(chosen).problems : []) {
        // What was written there is part of the sentence.
        if (!/[.!?]$/.test(message)) throw new Error(`no sentence: ${message}`);
      }
    },
  },
  {
    name: 'replies of a server',
    inputs: text(...HRANA.map((reply) => JSON.stringify(reply))),
    async read(bytes) {
      const reply = decoded(bytes);
      readServerError(reply);
      const readers = [readPipelineReply, readCursorHead, readCursorEntry];
      for (const read of readers) {
        try {
          const found: unknown = read(reply);
          if (typeof found !== 'object' || found === null || !('row' in found)) continue;
          for (const cell of found.row as readonly unknown[]) decodeValue(cell);
        } catch (error) {
          if (faultOf(error) !== null) throw error;
        }
      }
    },
  },
];

/** As the library gives it: what is no JSON was never stored. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
