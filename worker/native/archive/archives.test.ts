import { randomBytes } from 'node:crypto';
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import type { ArchiveContents } from '#shared/protocol/archive.ts';
import type { CallContext } from '#shared/rpc/server.ts';
import { zip } from '../../import/xlsx/made-workbook.test-suite.ts';
import { fakeClock } from '../../sessions/fake-clock.test-suite.ts';
import { WorkMonitor } from '../../sessions/work-monitor.ts';
import { WorkStatusBuffer } from '../../threads/work-status-buffer.ts';
import { fileClientOf, transferWindow } from '../../transfer/transfer-fixture.test-suite.ts';
import type { InPlaceSession } from '../in-place-session.ts';
import { archiveHandlers } from './archive-operations.ts';
import { databaseBytes } from './archives.test-suite.ts';

const SHOP = databaseBytes();
const NOTES = databaseBytes(3);
const INTO = { main: 'main', wal: 'wal', journal: 'journal' };

/** An archive in the hands of the operations, and what they write. */
class Desk {
  readonly written = new Map<string, Buffer>();
  readonly committed: string[] = [];
  readonly #fileName: string;
  readonly #context: CallContext<never, InPlaceSession>;
  canceled = false;

  constructor(fileName: string, content: Uint8Array) {
    this.#fileName = fileName;
    const source = fileClientOf({ [fileName]: new Uint8Array(content) });
    const call = async (
      op: string,
      params: { token: string; bytes: Uint8Array; commit: boolean },
    ): Promise<unknown> => {
      if (op === 'file.write') {
        this.written.set(
          params.token,
          Buffer.concat([this.written.get(params.token) ?? Buffer.alloc(0), params.bytes]),
        );
        return null;
      }
      if (op === 'file.close' && params.token !== fileName) {
        if (params.commit) this.committed.push(params.token);
        else this.written.delete(params.token);
        return { backup: null };
      }
      return source.call(op as 'file.info', params as never);
    };
    const clock = fakeClock();
    const monitor = new WorkMonitor(new WorkStatusBuffer(), clock, () => undefined);
    const session = {
      window: transferWindow,
      library: { files: { call }, monitor, clock },
    } as unknown as InPlaceSession;
    const isCanceled = (): boolean => this.canceled;
    this.#context = {
      ...{ session, id: 1, emit: async () => undefined, onCancel: () => undefined },
      get canceled() {
        return isCanceled();
      },
    };
  }

  async list(): Promise<ArchiveContents> {
    return archiveHandlers['archive.list']({ source: this.#fileName }, this.#context);
  }

  async unpack(name: string, mostBytes = Infinity): Promise<number> {
    const request = { source: this.#fileName, name, into: INTO, mostBytes };
    return (await archiveHandlers['archive.unpack'](request, this.#context)).sizeBytes;
  }

  /** Unpacks the only database. */
  async bytes(): Promise<Buffer> {
    const { databases } = await this.list();
    expect(databases).toHaveLength(1);
    await this.unpack(databases[0]!.name);
    expect(this.committed).toEqual(['main']);
    return this.written.get('main')!;
  }
}

const failure = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => expect.unreachable('it was opened'),
    (thrown: unknown) => (thrown instanceof AppError ? thrown : expect.unreachable(String(thrown))),
  );

describe('a database is the same as before it was packed', () => {
  it.each([
    ['stored in a ZIP file', 'a.zip', zip([{ name: 'shop', content: SHOP, isStored: true }])],
    ['deflated', 'a.zip', zip([{ name: 'a/b/shop.db', content: SHOP }])],
    ['in a ZIP file with 64-bit numbers', 'a.zip', zip([{ name: 'shop.db', content: SHOP }], true)],
    ['by gzip', 'shop.db.gz', gzipSync(SHOP)],
    [
      'by gzip in two members',
      'shop.gz',
      Buffer.concat([gzipSync(SHOP.subarray(0, 5000)), gzipSync(SHOP.subarray(5000))]),
    ],
    ['by zstd', 'shop.db.zst', zstdCompressSync(SHOP)],
    ['in a file whose name says something else', 'shop.txt', gzipSync(SHOP)],
  ])('%s', async (_how, fileName, packed) => {
    const bytes = await new Desk(fileName, packed).bytes();
    expect(bytes.equals(SHOP)).toBe(true);
  });

  it('with the WAL and the journal that lie beside it', async () => {
    const [wal, journal] = [Buffer.from('WAL'), Buffer.from('journal')];
    const desk = new Desk(
      'a.zip',
      zip([
        { name: 'x/shop.db-wal', content: wal },
        { name: 'x/shop.db', content: SHOP },
        { name: 'x/SHOP.db-journal', content: journal },
        { name: 'shop.db-wal', content: 'of another' },
      ]),
    );
    expect((await desk.list()).databases).toEqual([{ name: 'x/shop.db', sizeBytes: SHOP.length }]);
    expect(await desk.unpack('x/shop.db')).toBe(SHOP.length + wal.length + journal.length);
    expect(desk.committed).toEqual(['main', 'wal', 'journal']);
    expect([desk.written.get('wal'), desk.written.get('journal')]).toEqual([wal, journal]);
  });
});

describe('what is in an archive', () => {
  it('is told by content: databases with their sizes, those first that are named so', async () => {
    const desk = new Desk(
      'all.zip',
      zip([
        { name: '../../etc/passwd', content: NOTES },
        { name: 'folder/', content: '' },
        { name: 'liar.db', content: 'no database at all, but long enough' },
        { name: 'big.jpg', content: Buffer.alloc(200_000) },
        { name: 'shop.sqlite', content: SHOP },
      ]),
    );
    expect(await desk.list()).toEqual({
      databases: [
        { name: 'shop.sqlite', sizeBytes: SHOP.length },
        { name: '../../etc/passwd', sizeBytes: NOTES.length },
      ],
    });
  });

  it('is the newest collection of an Anki package', async () => {
    const old = { name: 'collection.anki2', content: NOTES };
    const media = { name: '0', content: SHOP };
    const collections = [
      [zip([old, media]), NOTES],
      [zip([old, media, { name: 'collection.anki21', content: SHOP }]), SHOP],
      [zip([old, media, { name: 'collection.anki21b', content: zstdCompressSync(SHOP), isStored: true }]), SHOP],
      [zip([old, { name: 'collection.anki21b', content: SHOP }]), SHOP],
    ] as const;
    for (const [packed, expected] of collections)
      expect((await new Desk('deck.apkg', packed).bytes()).equals(expected)).toBe(true);
  });

  it.each([
    [
      'only pictures',
      'a.zip',
      zip([
        { name: 'a.jpg', content: Buffer.alloc(100) },
        { name: 'b', content: '' },
      ]),
      'none of its files is one',
    ],
    [
      'an office document',
      'a.docx',
      zip([
        { name: '[Content_Types].xml', content: '<x/>' },
        { name: 'e.db', content: SHOP },
      ]),
      'it is an office document',
    ],
    ['text', 'a.csv.gz', gzipSync('a,b\n1,2\n'), 'not an SQLite database: it is a text file'],
    [
      'another archive',
      'a.tar.zst',
      zstdCompressSync(Buffer.concat([Buffer.alloc(257, 'a'), Buffer.from('ustar'), Buffer.alloc(300)])),
      'looks like a tar archive',
    ],
    ['nothing', 'a.gz', gzipSync(''), 'it is empty'],
  ])('may be no database: %s', async (_what, fileName, packed, why) => {
    const error = await failure(new Desk(fileName, packed).list());
    expect(error).toMatchObject({ code: 'not-a-database', message: expect.stringContaining(why) as unknown });
  });
});

describe('an archive that cannot be read says why', () => {
  it.each([
    ['encrypted', { flags: 1 }, 'protected by a password'],
    ['packed by another method', { method: 14 }, 'compressed by a method (14) that Sidelite cannot read'],
  ])('%s', async (_how, lies, why) => {
    const desk = new Desk('a.zip', zip([{ name: 'shop.db', content: SHOP, lies }]));
    for (const work of [() => desk.list(), () => desk.unpack('shop.db')])
      expect(await failure(work())).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(why) as unknown,
      });
  });

  it('opens the readable databases beside encrypted ones', async () => {
    const files = [
      { name: 'a.db', content: SHOP, lies: { flags: 1 } },
      { name: 'b.db', content: NOTES },
    ];
    expect((await new Desk('a.zip', zip(files)).bytes()).equals(NOTES)).toBe(true);
  });

  const secret = randomBytes(8192);
  it.each([
    ['in a ZIP file', 'a.zip', zip([{ name: 'x/shop.db', content: secret }]), '“x/shop.db” in “a.zip” may be'],
    ['by gzip', 'shop.db.gz', gzipSync(secret), 'What is in “shop.db.gz” may be'],
    ['by zstd', 'shop.db.zst', zstdCompressSync(secret), 'What is in “shop.db.zst” may be'],
  ])('if it holds an encrypted database: %s', async (_how, fileName, bytes, why) => {
    const error = await failure(new Desk(fileName, bytes).list());
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(why) as unknown });
    expect(error.message).toContain('an encrypted database');
  });

  it('opens the plain databases beside encrypted ones, and takes no picture for one', async () => {
    const picture = { name: 'a.jpg', content: secret };
    const files = [{ name: 'a.db', content: secret }, picture, { name: 'b.db', content: NOTES }];
    expect((await new Desk('a.zip', zip(files)).bytes()).equals(NOTES)).toBe(true);
    expect(await failure(new Desk('a.zip', zip([picture])).list())).toMatchObject({ code: 'not-a-database' });
  });

  const packed = zip([{ name: 'shop.db', content: SHOP }]);
  const otherContent = zip([
    { name: 'shop.db', content: SHOP, packed: deflateRawSync(Buffer.concat([SHOP.subarray(0, -1), Buffer.from('?')])) },
  ]);
  it.each([
    ['without its end', packed.subarray(0, -30), 'table of contents'],
    ['with another content than it had', otherContent, 'does not have the size and checksum'],
    [
      'with less than it says',
      zip([{ name: 'shop.db', content: SHOP, lies: { sizeBytes: SHOP.length + 1 } }]),
      'size and checksum',
    ],
    [
      'with more than it says',
      zip([{ name: 'shop.db', content: SHOP, lies: { sizeBytes: SHOP.length - 1 } }]),
      'size and checksum',
    ],
  ])('%s', async (_how, bytes, why) => {
    const desk = new Desk('a.zip', bytes);
    const error = await failure(desk.unpack('shop.db'));
    expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining(why) as unknown });
    expect(desk.committed).toEqual([]);
    expect(desk.written.get('main')).toBeUndefined();
  });

  it('a byte that was changed anywhere is found, or changes nothing', async () => {
    for (let at = 0; at < packed.length; at += 97) {
      const bytes = Buffer.from(packed);
      bytes[at]! ^= 0x10;
      const desk = new Desk('a.zip', bytes);
      const outcome = await desk.bytes().catch((thrown: unknown) => thrown);
      expect(outcome instanceof AppError || (outcome as Buffer).equals(SHOP), `byte ${at}: ${String(outcome)}`).toBe(
        true,
      );
    }
  });
});

describe('what is unpacked has a limit', () => {
  it.each([
    ['that the archive says it exceeds', 'a.zip', zip([{ name: 'shop.db', content: SHOP }]), 0],
    ['whatever the archive says', 'shop.db.gz', gzipSync(Buffer.concat([SHOP, Buffer.alloc(50 << 20)])), 4 << 20],
    ['whatever a frame says', 'shop.db.zst', zstdCompressSync(Buffer.concat([SHOP, Buffer.alloc(50 << 20)])), 4 << 20],
  ])('%s', async (_how, fileName, packed, mostWritten) => {
    const desk = new Desk(fileName, packed);
    const { databases } = await desk.list();
    let written = 0;
    const set = desk.written.set.bind(desk.written);
    desk.written.set = (key, bytes) => ((written = Math.max(written, bytes.length)), set(key, bytes));
    expect(await failure(desk.unpack(databases[0]!.name, SHOP.length - 1))).toMatchObject({ code: 'too-big' });
    expect(written).toBeLessThanOrEqual(mostWritten);
    expect(desk.committed).toEqual([]);
    expect(await new Desk(fileName, packed).unpack(databases[0]!.name, 60 << 20)).toBeGreaterThanOrEqual(SHOP.length);
  });

  it('and a Stop ends it', async () => {
    const desk = new Desk('shop.db.gz', gzipSync(Buffer.concat([SHOP, Buffer.alloc(20 << 20)])));
    desk.canceled = true;
    expect(await failure(desk.unpack('shop.db'))).toMatchObject({ code: 'stopped' });
    expect([desk.committed, desk.written.size]).toEqual([[], 0]);
  });

  it('a file that is gone from the archive is not looked for elsewhere', async () => {
    const desk = new Desk('a.zip', zip([{ name: 'shop.db', content: SHOP }]));
    expect(await failure(desk.unpack('../shop.db'))).toMatchObject({ code: 'not-found' });
  });
});
