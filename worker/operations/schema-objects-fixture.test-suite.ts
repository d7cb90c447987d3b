// For tests of objects that are changed by creating them again: a database with rows that are in the way of changes.
import type { SchemaChange, SchemaChangeReport, SchemaPlan } from '#shared/protocol/schema-change.ts';
import type { HistoryFixture } from './history-fixture.test-suite.ts';

export const SHOP = `
  CREATE TABLE person (id INTEGER PRIMARY KEY, mail TEXT COLLATE NOCASE, city TEXT, born);
  CREATE TABLE pet (name TEXT, owner INT, PRIMARY KEY (name, owner)) WITHOUT ROWID;
  CREATE INDEX by_city ON person (city) WHERE city IS NOT NULL;
  CREATE UNIQUE INDEX by_mail ON person (mail, city);
  CREATE VIEW adults AS SELECT id, mail FROM person;
  CREATE VIEW mails AS SELECT mail FROM adults;
  CREATE TABLE log (what);
  CREATE TRIGGER instead INSTEAD OF DELETE ON adults BEGIN DELETE FROM person WHERE id = old.id; END;
  CREATE TRIGGER noted AFTER UPDATE OF mail ON person BEGIN INSERT INTO log VALUES (new.mail); END;
  INSERT INTO person VALUES (1, 'a@x', 'Bonn', 1970), (2, 'A@x', 'Ulm', '1980'), (3, 'b@x', 'Bonn', 'long ago'), (4, NULL, NULL, 2.5);
  INSERT INTO pet VALUES ('rex', 1), ('tom', 9), ('kim', 8);`;

interface ShopChanges {
  /** Makes the changes, and keeps them if nothing is broken. */
  change(...changes: readonly SchemaChange[]): Promise<SchemaChangeReport>;
  plan(...changes: readonly SchemaChange[]): Promise<SchemaPlan>;
}

export function shopChangesIn(get: () => HistoryFixture): ShopChanges {
  return {
    change: (...changes) => get().call('schema.change', { changes, keep: true }),
    plan: (...changes) => get().call('schema.plan', { changes }),
  };
}
