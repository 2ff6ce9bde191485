/**
 * Former names of schemas of the OpenAPI document. A name goes with the next major version of the API: until then a program whose
 * types were generated before the rename finds them when it generates them again.
 */
import type { JsonObject } from '../../../language/graph/values/value.ts';

/** Today's names by former ones. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  Frame: 'RunEvent',
  KnowledgeToolConfig: 'KnowledgeAgentTool',
  NewAlert: 'CreateAlert',
  NewApiKey: 'CreateApiKey',
  NewAuthorization: 'CreateAuthorization',
  NewChatCompletion: 'CreateChatCompletion',
  NewCredential: 'CreateCredential',
  NewEmbeddingConfig: 'CreateEmbeddingConfig',
  NewHook: 'CreateHook',
  NewInvitation: 'CreateInvitation',
  NewKnowledgeBase: 'CreateKnowledgeBase',
  NewNotificationEndpoint: 'CreateNotificationEndpoint',
  NewOrganization: 'CreateOrganization',
  NewResponse: 'CreateResponse',
  NewRun: 'CreateRun',
  NewRunBatch: 'CreateRunBatch',
  NewSchedule: 'CreateSchedule',
  NewSupportRequest: 'CreateSupportRequest',
  NewTopup: 'CreateTopup',
  NewWorkflow: 'CreateWorkflow',
  Response: 'OpenAiResponse',
  ResponseError: 'OpenAiResponseError',
  ResponseEvent: 'OpenAiResponseEvent',
  ResponseIncomplete: 'OpenAiResponseIncomplete',
};

const replaceSchemas = (document: JsonObject, replace: (schemas: JsonObject) => JsonObject): JsonObject => {
  const components = document['components'] as JsonObject;
  return {
    ...document,
    components: { ...components, schemas: replace(components['schemas'] as JsonObject) },
  };
};

/** Adds each former name as a reference to the schema under its name of today. @returns a new document */
export const addFormerNames = (document: JsonObject): JsonObject =>
  replaceSchemas(document, (schemas) => ({
    ...schemas,
    ...Object.fromEntries(
      Object.entries(FORMER_NAMES).map(([former, name]) => [
        former,
        { deprecated: true, description: `Former name of ${name}`, $ref: `#/components/schemas/${name}` },
      ]),
    ),
  }));

/**
 * Removes the former names: OpenAPI Generator, which reads the document as 3.0, writes a constructor `NewSchedule` of `Schedule` for Go,
 * and a type of the same name would not compile.
 * @returns a new document
 */
export const removeFormerNames = (document: JsonObject): JsonObject =>
  replaceSchemas(document, (schemas) =>
    Object.fromEntries(Object.entries(schemas).filter(([name]) => !Object.hasOwn(FORMER_NAMES, name))),
  );
