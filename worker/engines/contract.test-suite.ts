// Tests what every engine must do: a new engine calls `describeEngine` and joins unchanged.
import { afterEach, beforeAll, beforeEach, describe } from 'vitest';
import type { RunnerTask } from 'vitest';
import { describeChangedTables } from './contract/changed-tables.test-suite.ts';
import { describeChanges } from './contract/changes.test-suite.ts';
import { describeCoveredRows } from './contract/covered-rows.test-suite.ts';
import { describeErrors } from './contract/errors.test-suite.ts';
import { describeHeavySchema } from './contract/heavy-schema.test-suite.ts';
import { describeHostileSchema } from './contract/hostile-schema.test-suite.ts';
import { describeHostileSql } from './contract/hostile-sql.test-suite.ts';
import { describeLoggedChanges } from './contract/logged-changes.test-suite.ts';
import { describeMemory } from './contract/memory.test-suite.ts';
import { describePacking } from './contract/packing.test-suite.ts';
import { describeRandomRowLogs } from './contract/row-log-random.test-suite.ts';
import { describeRecordInserts } from './contract/record-insert.test-suite.ts';
import { describeRecordLogs } from './contract/record-log.test-suite.ts';
import { describeRecordValues } from './contract/record-values.test-suite.ts';
import { describeRowLogGuard } from './contract/row-log-guard.test-suite.ts';
import { describeRowLogs } from './contract/row-log.test-suite.ts';
import { describeScripts } from './contract/scripts.test-suite.ts';
import { describeStatements } from './contract/statements.test-suite.ts';
import { describeTransactions } from './contract/transactions.test-suite.ts';
import { describeRegexp } from './contract/regexp.test-suite.ts';
import { describeReplaceNocase } from './contract/replace-nocase.test-suite.ts';
import { describeValues } from './contract/values.test-suite.ts';
import { isSampled } from '#shared/seed-count.test-suite.ts';
import type { Connection } from './engine.ts';
import type { EngineUnderTest, GetConnection, Need } from './contract/subject.test-suite.ts';

export function describeEngine(name: string, makeEngine: () => Promise<EngineUnderTest>): void {
  describe(name, () => {
    let subject: EngineUnderTest;
    let connection: Connection | undefined;
    const get: GetConnection = () => connection!;
    beforeAll(async () => {
      subject = await makeEngine();
    });
    beforeEach(({ skip, task }) => {
      const why = whyNot(subject, task);
      skip(why !== null, why ?? '');
      skip(subject.isSlow === true && !isSampled(task.name), 'not in the sample');
      connection = subject.engine.open(subject.freshLocation(), { durability: 'full', create: true });
    });
    afterEach(() => connection?.close());

    describeValues(get, () => subject.exceptions ?? {});
    describePacking(get);
    describeRegexp(get);
    describeReplaceNocase(get);
    describeStatements(get, () => subject.exceptions ?? {});
    describeMemory(get);
    describeScripts(get);
    describeErrors(get);
    describeHostileSql(get);
    describeHostileSchema(get);
    describeHeavySchema(get);
    describeTransactions(get);
    describeChanges(get);
    describeChangedTables(get);
    describeRecordValues(get);
    describeRecordInserts(get);
    describeRecordLogs(get);
    const logged = { get, exceptions: () => subject.exceptions ?? {} };
    describeRowLogs(logged);
    describeLoggedChanges(logged);
    describeRowLogGuard(logged);
    describeCoveredRows(logged);
    describeRandomRowLogs(get);
  });
}

/** The need of a test that the engine does not meet, with the reason. */
function whyNot({ engine, exceptions }: EngineUnderTest, task: RunnerTask): string | null {
  const needed = neededBy(task);
  const { without = {} } = exceptions ?? {};
  const lacking = needed.find((need) => without[need] !== undefined);
  if (lacking !== undefined) return `without ${lacking}: ${without[lacking]}`;
  const { capabilities } = engine.info;
  const incapable = (['changes', 'stop'] as const).find((need) => needed.includes(need) && !capabilities[need]);
  return incapable === undefined ? null : `without ${incapable}, as its capabilities say`;
}

/** Needs of the test itself and of the groups it is in. */
function neededBy({ meta, suite }: RunnerTask): readonly Need[] {
  return [...(meta.needs ?? []), ...(suite ? neededBy(suite) : [])];
}
