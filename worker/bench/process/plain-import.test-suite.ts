// Reads a file and inserts its rows, and nothing else: no type detection, no history, no window. `node plain-import.test-suite.ts FORMAT FILE
// DATABASE`; prints the number of rows.
import { createReadStream, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { loadBetterSqlite } from '../../engines/native/runtime/load.ts';
import type { PreparedStatement } from '../../engines/native/runtime/load.ts';
import { formatOf } from '../../import/formats.ts';
import { plainOptions } from '../../import/plain-options.ts';
import { FIELD } from '../../records/record-batch.ts';
import type { ByteSource } from '../../records/record-batch.ts';

type Row = readonly (string | number | null)[];

const [format, file, path] = process.argv.slice(2) as [string, string, string];
const database = new (await loadBetterSqlite())(path, {});
console.log(await insertAll(format === 'ndjson' ? readLines() : readWorkbook()));
database.close();

async function insertAll(rows: AsyncIterable<Row>): Promise<number> {
  let count = 0;
  let insert: PreparedStatement | null = null;
  database.exec('BEGIN');
  for await (const row of rows) {
    insert ??= prepareFor(row.length);
    insert.run(...row);
    count++;
  }
  database.exec('COMMIT');
  return count;
}

function prepareFor(columns: number): PreparedStatement {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  database.exec(`CREATE TABLE made (${names.join(', ')})`);
  return database.prepare(`INSERT INTO made VALUES (${names.map(() => '?').join(', ')})`);
}

/** Uses JSON.parse, as one would write it: numbers beyond 2^53 are rounded. */
async function* readLines(): AsyncGenerator<Row> {
  for await (const line of createInterface({ input: createReadStream(file, { highWaterMark: 1 << 20 }) }))
    yield Object.values(JSON.parse(line) as Record<string, string | number | null>);
}

/** Uses the product's own reader. */
async function* readWorkbook(): AsyncGenerator<Row> {
  const reader = await formatOf('xlsx').read(bytesOf(file), plainOptions('xlsx', { hasHeader: true }));
  const text = new TextDecoder();
  for (let batch = await reader.next(); batch !== null; batch = await reader.next()) {
    let field = 0;
    for (let record = 0; record < batch.records; record++) {
      const row: (string | number | null)[] = [];
      for (; field < batch.recordEnds[record]!; field++) {
        const value = text.decode(batch.bytes.subarray(batch.starts[field], batch.ends[field]));
        row.push(batch.kinds[field] === FIELD.number ? Number(value) : value);
      }
      yield row;
    }
  }
}

function bytesOf(path: string): ByteSource {
  const opened = openSync(path, 'r');
  return {
    fileName: basename(path),
    sizeBytes: statSync(path).size,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      return Promise.resolve(bytes.subarray(0, readSync(opened, bytes, 0, length, offset)));
    },
  };
}
