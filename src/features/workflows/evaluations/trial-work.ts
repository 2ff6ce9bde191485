/** Works on the trials of one claimed evaluation: begins them, looks for the ends of their runs, and grades. */
import { prepareDefinition, type ReadyPlan } from '../../../engine/runs/walk/ready-plan.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { findJudge, gradeOutput, type Grade, type Graded } from './graders.ts';
import { buildJudge, buildJudgeInput, readJudgement } from './judge.ts';
import type { EvaluationDeps } from './runner.ts';
import type { ClaimedEvaluation, EvaluatedDefinition } from './store.ts';
import { readRunEnd, startTrialRun, type RunEnd } from './trial-runs.ts';
import { endTrial, noteJudge, noteRun, type OpenTrial, type TrialEnd } from './trial-store.ts';
import { answerWrites, walkCase } from './walk-trial.ts';

/** Bytes of an output as JSON that a trial keeps and a judge reads; of a larger one the grades alone are kept. */
const MAX_KEPT_BYTES = 16 * 1024;

/** The trial goes on with an open run, has ended, or could not begin now. */
type Begun = 'open' | 'ended' | 'busy';

/** The values of a case, and what its run made of them. */
interface Finished {
  readonly graded: Graded;
  readonly durationMs: number | null;
  readonly usedMc: number;
}

const keep = (output: Json): Json =>
  Buffer.byteLength(JSON.stringify(output)) > MAX_KEPT_BYTES ? null : output;

function decide(grades: readonly Grade[]): Pick<TrialEnd, 'verdict' | 'doubt'> {
  if (grades.some(({ passed }) => passed === false)) return { verdict: 'failed', doubt: null };
  if (grades.some(({ passed }) => passed === null)) return { verdict: 'cannot_tell', doubt: 'not_graded' };
  return { verdict: 'passed', doubt: null };
}

export class TrialWork {
  readonly #deps: EvaluationDeps;
  readonly #evaluation: ClaimedEvaluation;
  readonly #plans = new Map<number, ReadyPlan>();

  constructor(deps: EvaluationDeps, evaluation: ClaimedEvaluation) {
    this.#deps = deps;
    this.#evaluation = evaluation;
  }

  /** Begins a trial. @param freePlaces for open runs, its own included */
  async begin(trial: OpenTrial, freePlaces: number): Promise<Begun> {
    const { rootRunPk, input } = trial;
    if (!trial.hasCase) return this.#endUntold(trial, 'case_removed');
    const { definition, input: workflowInput } = this.#getDefinition(trial);
    if (rootRunPk === null)
      return this.#startRun(trial, { definition, workflowInput, input: input ?? {}, freePlaces });
    const walked = await walkCase(
      this.#deps,
      { organizationId: this.#evaluation.organizationId, rootRunPk },
      this.#getPlan(trial),
    );
    if (walked.kind === 'unusable') return this.#endUntold(trial, walked.doubt);
    if (walked.kind === 'walked') {
      const { error, output } = walked;
      const graded = { input: walked.input, expected: trial.expected ?? walked.recorded, output };
      if (error !== null) return this.#endFailed(trial, { ...error }, { durationMs: null, usedMc: 0 });
      return this.#grade(trial, { graded, durationMs: null, usedMc: 0 }, freePlaces);
    }
    // Without credits nothing runs that a rehearsal could not tell.
    if (this.#evaluation.maxCreditsMc === 0) return this.#endUntold(trial, walked.doubt);
    return this.#startRun(trial, {
      definition: answerWrites(definition, walked.writes),
      workflowInput: {},
      input: walked.input,
      freePlaces,
    });
  }

  /** Looks at a trial whose run is open. @returns whether it has ended */
  async look(trial: OpenTrial, freePlaces: number): Promise<boolean> {
    const { organizationId } = this.#evaluation;
    const runPk = trial.status === 'judging' ? trial.judgeRunPk : trial.runPk;
    if (runPk === null) throw new Error('An open trial has no run');
    const end = await readRunEnd(this.#deps, { organizationId, runPk });
    if (end === null) return false;
    if (trial.status === 'judging') await this.#endJudged(trial, end);
    else return (await this.#endRun(trial, end, freePlaces)) === 'ended';
    return true;
  }

  async #startRun(
    trial: OpenTrial,
    run: {
      readonly definition: JsonObject;
      readonly workflowInput: JsonObject;
      readonly input: JsonObject;
      readonly freePlaces: number;
    },
  ): Promise<Begun> {
    const started = await startTrialRun(this.#deps, this.#evaluation, {
      ...run,
      place: trial.place,
      usedMc: 0,
      note: (tx, noted) => noteRun(tx, this.#evaluation, { place: trial.place, ...noted }),
    });
    if (started === 'started') return 'open';
    if (started === 'busy') return 'busy';
    if (started === 'gone') return 'ended';
    return this.#endUntold(trial, started.doubt, { code: started.doubt, message: started.message });
  }

  async #endRun(trial: OpenTrial, end: RunEnd, freePlaces: number): Promise<Begun> {
    const { status, output, error, ...used } = end;
    if (status === 'gone') return this.#endUntold(trial, 'run_deleted');
    if (status === 'cancelled') return this.#endUntold(trial, 'run_cancelled', null, used);
    if (status === 'failed' && error?.['code'] === 'budget_exceeded')
      return this.#endUntold(trial, 'out_of_credits', error, used);
    if (status === 'failed') return this.#endFailed(trial, error, used);
    const values = await this.#readValues(trial);
    if (values === null) return this.#endUntold(trial, 'run_deleted', null, used);
    return this.#grade(trial, { graded: { ...values, output }, ...used }, freePlaces);
  }

  /** Reads the input and the expected output of a case whose run has ended; null: its recorded run is gone. */
  async #readValues(trial: OpenTrial): Promise<Omit<Graded, 'output'> | null> {
    const { input, expected, rootRunPk } = trial;
    if (!trial.hasCase) return null;
    if (rootRunPk === null) return { input: input ?? {}, expected };
    const { organizationId } = this.#evaluation;
    const walked = await walkCase(this.#deps, { organizationId, rootRunPk }, this.#getPlan(trial));
    if (walked.kind === 'unusable') return null;
    return { input: walked.input, expected: expected ?? walked.recorded };
  }

  async #grade(
    trial: OpenTrial,
    { graded, durationMs, usedMc }: Finished,
    freePlaces: number,
  ): Promise<Begun> {
    const { graders } = this.#evaluation;
    const grades = gradeOutput(graders, graded, this.#deps.tools.patterns);
    const found = findJudge(graders);
    const output = keep(graded.output);
    // A judge costs credits, and changes nothing where another grader has decided.
    if (found === null || grades.some(({ passed }) => passed !== true)) {
      return this.#end(trial, { ...decide(grades), grades, output, error: null, durationMs, usedMc });
    }
    const begun = await startTrialRun(this.#deps, this.#evaluation, {
      place: trial.place,
      usedMc,
      definition: buildJudge(found.judge),
      workflowInput: {},
      input: buildJudgeInput(found.judge, graded),
      freePlaces,
      note: (tx, run) => {
        const { place, status: from } = trial;
        return noteJudge(tx, this.#evaluation, { place, from, ...run, usedMc, durationMs, output, grades });
      },
    });
    if (begun === 'started') return 'open';
    if (begun === 'busy') return trial.status === 'pending' ? 'busy' : 'open';
    if (begun === 'gone') return 'ended';
    return this.#endUntold(
      trial,
      begun.doubt,
      { code: begun.doubt, message: begun.message },
      { durationMs, usedMc },
    );
  }

  async #endJudged(trial: OpenTrial, end: RunEnd): Promise<void> {
    const found = findJudge(this.#evaluation.graders);
    if (found === null) throw new Error('A judged trial has no judge');
    const { output } = trial;
    const usedMc = trial.usedMc + end.usedMc;
    const of = { output, durationMs: null, usedMc };
    if (end.status === 'completed') {
      const grades = [...trial.grades, readJudgement(found.judge, found.index, end.output)];
      await this.#end(trial, { ...decide(grades), grades, error: null, ...of });
      return;
    }
    const doubt = end.error?.['code'] === 'budget_exceeded' ? 'out_of_credits' : 'judge_failed';
    const { grades } = trial;
    await this.#end(trial, { verdict: 'cannot_tell', doubt, grades, error: end.error, ...of });
  }

  #endUntold(
    trial: OpenTrial,
    doubt: string,
    error: JsonObject | null = null,
    used: Pick<TrialEnd, 'durationMs' | 'usedMc'> = { durationMs: null, usedMc: trial.usedMc },
  ): Promise<Begun> {
    return this.#end(trial, { verdict: 'cannot_tell', doubt, grades: [], output: null, error, ...used });
  }

  #endFailed(
    trial: OpenTrial,
    error: JsonObject | null,
    used: Pick<TrialEnd, 'durationMs' | 'usedMc'>,
  ): Promise<Begun> {
    return this.#end(trial, { verdict: 'failed', doubt: null, grades: [], output: null, error, ...used });
  }

  async #end({ place, status: from }: OpenTrial, end: TrialEnd): Promise<Begun> {
    await endTrial(this.#deps.db, this.#evaluation, { place, from, end });
    return 'ended';
  }

  #getDefinition({ definition: index }: OpenTrial): EvaluatedDefinition {
    const found = this.#evaluation.definitions[index];
    if (found === undefined) throw new Error('An evaluation has no such definition');
    return found;
  }

  #getPlan(trial: OpenTrial): ReadyPlan {
    let plan = this.#plans.get(trial.definition);
    if (plan === undefined) {
      plan = prepareDefinition(this.#getDefinition(trial).definition);
      this.#plans.set(trial.definition, plan);
    }
    return plan;
  }
}
