// Walks the statements of a script, each found by its tokens and understood alone.
import type { Script, ScriptParameters } from '../../engine.ts';
import { readStatement } from '../../native/statements/statement-shape.ts';
import type { StatementShape } from '../../native/statements/statement-shape.ts';
import { TextScript } from '../../native/statements/text-script.ts';
import { parameterValues } from '../../script-parameters.ts';
import type { RemoteStatement } from './remote-statement.ts';

interface ScriptOwner {
  readonly isOpen: boolean;
  prepareShape(sql: string, shape: StatementShape): RemoteStatement;
}

export function remoteScript(owner: ScriptOwner, sql: string, parameters: ScriptParameters): Script {
  return new TextScript(owner, sql, (position) => {
    const shape = readStatement(sql, position);
    if (shape === null) return null;
    const statement = owner.prepareShape(sql, shape);
    if (parameters !== 'bound' && statement.parameterCount > 0)
      statement.bind(parameterValues(statement.sql, shape.from, parameters));
    statement.isOfScript = true;
    statement.from = shape.from;
    statement.to = shape.to;
    return statement;
  });
}
