// Publishing that fails, is stopped, or is disturbed: what is there is reported, can be continued, and be removed.
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../../build/sqld/test-server.ts';
import type { TestServer } from '../../../build/sqld/test-server.ts';
import { LONG } from '#shared/seed-count.test-suite.ts';
import type { PublishReply } from '#shared/protocol/publish.ts';
import { objectsOnServer } from './on-server.ts';
import type { Publication } from './publication.ts';
import { onceSending, publishingTo, ROWS } from './publish-fixture.test-suite.ts';
import { removePublished } from './publish-operations.ts';

const server = await startTestServer();

describe.skipIf('why' in server)('publishing to a server', { timeout: 300_000 }, () => {
  const to = publishingTo(server as TestServer);
  const { controls, sourceOfSql, look, run, expectSame } = to;

  it('tells what is there after a failure, and continues', async () => {
    const source = await sourceOfSql(ROWS(6000));
    const publication = look(source);
    const reply = run(publication, { between: onceSending(publication, () => controls.fail('cut')) });
    expect(reply.outcome).toBe('failed');
    // The commit may have been the request that was lost.
    if (publication.isUnsure) publication.look(to.connection);
    const [table] = publication.refreshed(reply).tables;
    expect(table).toMatchObject({ unsure: 0, digest: null, onServer: null });
    expect(table!.saved).toBeLessThan(6000);
    expect(to.connection.one('SELECT count(*) FROM t')).toEqual([table!.saved]);
    expectSame(source, run(publication));
  });

  it('finds out what became of a commit whose reply was lost', async () => {
    const source = await sourceOfSql(`${ROWS(100)} CREATE INDEX by_a ON t (a);`);
    const outcomes = new Set<string>();
    // Each request of a publication in turn, those that commit among them; some of them in `npm test`.
    for (let at = 0, isReached = true; isReached; at += LONG ? 1 : 5) {
      to.renew();
      const publication = look(source);
      const from = controls.requests;
      controls.fail('lose', 1, at);
      try {
        outcomes.add(run(publication).outcome);
      } catch {
        expect(['no', 'unsure']).toContain(publication.made);
        outcomes.add('error');
      }
      isReached = controls.requests > from + at;
      controls.fail('none', 0);
      if (publication.isUnsure) publication.look(to.connection);
      const [{ saved }] = publication.tables as [Publication['tables'][0]];
      if (publication.made === 'yes') expect(to.connection.one('SELECT count(*) FROM t')).toEqual([saved]);
      else expect(objectsOnServer(to.connection)).toEqual([]);
      expectSame(source, run(publication));
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(['done', 'failed']));
  });

  it('is stopped between two transactions, and what it made is removed', async () => {
    const source = await sourceOfSql(
      `${ROWS(6000)} CREATE VIRTUAL TABLE f USING fts5(a); CREATE VIEW v AS SELECT 1;
       CREATE TABLE c (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO c VALUES (9); PRAGMA user_version = 5;`,
    );
    const publication = look(source);
    const reply = run(publication, { stopAt: 4 });
    const left = reply.notPublished.map(({ name }) => name);
    expect(left).toEqual(['v', 'AUTOINCREMENT of c', 'user_version']);
    expect(reply).toMatchObject({ outcome: 'stopped', why: 'Publishing was stopped.', hasTables: 'yes' });
    expect(to.connection.one('SELECT count(*) FROM t')).toEqual([reply.tables[0]!.saved]);
    expect(removePublished(to.connection, publication)).toBe(3);
    expect(objectsOnServer(to.connection)).toEqual([]);
    expectSame(source, run(publication));
    expect(removePublished(to.connection, publication)).toBe(3);
    expect([objectsOnServer(to.connection), to.connection.one('PRAGMA user_version')]).toEqual([[], [0]]);
  });

  it('removes nothing once someone else has changed it', async () => {
    const source = await sourceOfSql(
      'CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); CREATE VIEW v AS SELECT a FROM t',
    );
    const publication = look(source);
    run(publication);
    to.connection.run('INSERT INTO t VALUES (3)');
    expect(() => removePublished(to.connection, publication)).toThrow('changed the rows of “t”');
    to.connection.run('DELETE FROM t WHERE a = 3');
    to.connection.run('CREATE INDEX theirs ON t (a)');
    expect(() => removePublished(to.connection, publication)).toThrow('Nothing was removed.');
    expect(objectsOnServer(to.connection).map(({ name }) => name)).toEqual(['t', 'v', 'theirs']);
    to.connection.run('DROP INDEX theirs');
    expect(removePublished(to.connection, publication)).toBe(1);
  });

  it('notices a row that is different on the server', async () => {
    const source = await sourceOfSql('CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); CREATE VIEW v AS SELECT 1');
    const publication = look(source);
    let isChanged = false;
    const reply = run(publication, {
      between() {
        if (isChanged || !publication.tables[0]!.isComplete) return;
        isChanged = true;
        to.connection.run('UPDATE t SET a = 2.0 WHERE a = 2');
      },
    });
    const [{ digest, onServer }] = reply.tables as [PublishReply['tables'][0]];
    expect(onServer!.rows).toBe(2);
    expect(onServer!.digest).not.toBe(digest);
  });

  it('survives a server that is killed in the middle', async () => {
    const source = await sourceOfSql(ROWS(6000));
    const publication = look(source);
    const reply = run(publication, { between: onceSending(publication, () => controls.fail('kill')) });
    expect(reply.outcome).toBe('failed');
    await expect.poll(() => controls.server, { timeout: 20_000 }).not.toBe(0);
    await expect
      .poll(
        () => {
          try {
            expectSame(source, run(publication));
            return 'done';
          } catch (error) {
            return String(error);
          }
        },
        { timeout: 30_000 },
      )
      .toBe('done');
  });
});
