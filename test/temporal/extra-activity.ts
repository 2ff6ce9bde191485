/** A deliberately different interpreter: it schedules one activity that no recorded history knows. */
import { proxyActivities } from '@temporalio/workflow';
import type { DocumentRef } from '../../src/platform/knowledge/ingest-engine.ts';
import type { InterpretInput } from '../../temporal/contract.ts';
import {
  ingestDocument as currentIngest,
  interpretWorkflow as current,
} from '../../temporal/interpreter/interpret.ts';

const { surprise } = proxyActivities<{ surprise(): Promise<void> }>({ startToCloseTimeout: '1m' });

export async function interpretWorkflow(input: InterpretInput): Promise<{ status: string }> {
  await surprise();
  return current(input);
}

export async function ingestDocument(document: DocumentRef): Promise<{ status: string }> {
  await surprise();
  return currentIngest(document);
}
