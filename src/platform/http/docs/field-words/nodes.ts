/** Descriptions of the fields of node configs, by type; see recurring.ts for how keys are read. */

const NODE_TYPES = [
  'Llm',
  'Tool',
  'Agent',
  'Function',
  'Conditional',
  'Interrupt',
  'Transformer',
  'Guardrails',
  'Knowledge',
];
const ASSIGNEES = 'Who may answer; null or empty: any member of the organization';

export const NODE_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    NODE_TYPES.map((type) => [`${type}Node.config`, 'Config of the node; it may contain templates']),
  ),

  // Models: llm and agent.
  messages: 'Messages to the model, in order; the memory of the thread is inserted after the system messages',
  'messages.content': 'A text, or a template of one',
  parameters: "Parameters of the model; null: the provider's defaults",
  temperature: "Sampling temperature, 0 to 2; null: the provider's default",
  max_output_tokens: "Maximum number of tokens of the answer; null: the provider's default",
  reasoning_effort: "Reasoning effort, in the provider's spelling; null: the provider's default",
  response_format: 'Format of the answer; null: any text',
  'response_format.type': 'Text, any JSON object, or JSON that matches `schema`',
  'response_format.strict': 'Asks the provider to enforce the schema',
  memory: 'Memory of the thread of the run; null: none',
  'memory.mode': 'None, all messages of the thread up to 1,000, or the newest of them',
  max_messages: 'With `window`: maximum number of messages; null: 20',
  max_tokens: 'With `window`: maximum number of tokens of the messages, estimated; null: unlimited',
  credential_id: "Id of the credential with the account to use; null: the deployment's managed model",
  'HttpToolConfig.credential_id': 'Id of the credential to send with the request; null: none',
  'IntegrationToolConfig.credential_id': 'Id of the credential with the account to use; null: none',
  'McpToolConfig.credential_id': 'Id of the credential with the account to use; null: none',
  'LlmNodeConfig.stream': 'Whether tokens are streamed as `token` frames',
  'AgentNodeConfig.stream': 'Whether tokens are streamed as `token` frames',

  // Agents.
  tools: 'Tools that the model may call; null: none',
  max_iterations: 'Maximum number of model calls',
  max_tool_calls: 'Maximum number of tool calls in total',
  parallel_tool_calls: 'Whether the model may request several tool calls in one turn',
  'AgentToolOptions.name': 'Name of the tool for the model; null: the name of the tool itself, if it has one',
  'AgentToolOptions.description': 'Description of the tool for the model; null: that of the tool itself',
  'AgentToolOptions.usage':
    '`auto`: the model may call it; `force`: the model must call it once; `none`: it is not offered',
  'AgentToolOptions.parameters': 'Fixed arguments, hidden from the model',
  input_schema: 'JSON Schema of the arguments; null: that of the tool itself',
  approval: 'Whether each call needs approval; null: never',
  approval_timeout_seconds: 'Seconds until a call without an answer counts as rejected; null: no timeout',
  approval_assignees: ASSIGNEES,

  // Tools.
  'HttpToolConfig.url': 'URL with templates in its path and query; each value is encoded as one component',
  headers: 'Request headers by name; values may be templates',
  'HttpToolConfig.query': 'Query parameters by name; values may be templates',
  body: 'Request body, encoded by the `content-type` header: JSON, JSON lines, form, multipart, XML or text. Without the header an object is sent as JSON; null: none',
  fail_on_status: 'Range of statuses that count as failures; null: 400 to 599',
  'HttpToolConfig.effect':
    'For POST and PATCH: whether the request may be repeated when its outcome is unknown; null: no',
  'HttpToolConfig.idempotent':
    'The server deduplicates requests by `Idempotency-Key`, so the request may be repeated',
  'IntegrationToolConfig.integration': 'Name of the integration in the catalog',
  integration_version: 'Version of the integration that the config was created with; null: any',
  'IntegrationToolConfig.action': 'Name of the action in the catalog',
  'IntegrationToolConfig.parameters': 'Parameters of the action by name; values may be templates',
  server_url: "URL of the MCP server; null: that of the credential's account",
  tool: 'Name of the tool of the server',
  'McpToolConfig.arguments': 'Arguments of the tool by name; values may be templates',
  fingerprint:
    "SHA-256 of the server's definition of the tool, in hex: the call fails after a change; null: not checked",
  'WorkflowToolConfig.workflow_id': 'Id of the workflow to run as a sub-workflow',
  deployment: '`live`, the version of a deployment, or its id',
  'WorkflowToolConfig.input': 'Input of the sub-workflow; values may be templates',
  wait: 'Whether the node waits for the sub-workflow, for at most a day',

  // Functions.
  language: 'Programming language: JavaScript',
  'FunctionNodeConfig.code':
    'An ES module whose default export is called with `arguments`; templates in it are not rendered',
  'FunctionNodeConfig.arguments': 'Argument of the function; values may be templates',
  'FunctionNodeConfig.output_schema': 'JSON Schema of the returned value; null: any value',
  limits: 'Limits of one call; null: the defaults',
  'limits.timeout_ms': 'Timeout of one call, in milliseconds',
  memory_mb: 'Maximum memory of one call, in MiB',
  network: 'Network access: functions have none',

  // Conditionals.
  cases: 'The cases in order; the first that matches is selected',
  'cases.id': 'The handle of the case',
  'cases.label': 'Display name',
  'cases.description': 'Description of the case for the model',
  'RulesConditionalConfig.default': 'The handle when no case matches',
  'LlmConditionalConfig.default': 'The handle when the model selects no case',
  'LlmConditionalConfig.input': 'The text to classify; may be a template',

  // Interrupts.
  'ApprovalInterruptConfig.actions': 'The possible answers',
  'ApprovalInterruptConfig.title': 'Title of the question',
  'InputInterruptConfig.title': 'Title of the question',
  'CallbackInterruptConfig.title': 'Title that people see while the run waits',
  'CallbackInterruptConfig.message': 'Text that people see while the run waits',
  'CallbackInterruptConfig.timeout_seconds': 'Timeout of the callback, in seconds; a week by default',
  'ApprovalInterruptConfig.message': 'Text of the question',
  'InputInterruptConfig.message': 'Text of the question',
  'actions.id': 'The handle of the answer',
  'actions.label': 'Display name; the id by default',
  payload: 'Data to show with the question, or a template of it; null: none',
  form: "JSON Schema of the answer's data; null: any data",
  assignees: ASSIGNEES,
  required_responses: 'How many people must give the same answer; one when it is absent',
  'assignees.emails': 'E-mail addresses that get a link to the question, or templates of them',
  notify: 'Chats that get a link to the question',
  'notify.kind': 'The chat',
  'notify.credential_id': 'A credential of the integration `chat_webhook`: the incoming webhook of a channel',
  'notify.url':
    'URL of the incoming webhook, or a template of it, instead of a credential; it stands in the definition',
  remind_after_seconds: 'The link is sent again each time after this long, in seconds; null: never',
  escalate_to: 'E-mail addresses that get a link when nobody has answered, or templates of them',
  escalate_after_seconds: 'When they get it, in seconds after the question',
  'actions.required_responses':
    'How many people must select this action; `required_responses` of the question by default',
  timeout_seconds: 'Timeout of the question, in seconds; null: none',
  on_timeout: 'On timeout: fails the node, follows the handle `timeout`, or answers with `default_response`',
  default_response: 'The answer on timeout; null: none',
  'default_response.action': 'The action of the answer; null: none',
  'default_response.data': 'The data of the answer; null: none',
  'WaitInterruptConfig.duration_seconds':
    'Duration of the wait in seconds, or a template of it; at most a year',
  until: 'End of the wait, ISO 8601, or a template of it; a time in the past does not wait',

  // Transformers.
  'MapTransformerConfig.fields': 'The fields of the output; values may be templates',
  source: 'The array, or a template of it',
  filter: 'Condition on each item, as `item` and `index`; null: keeps all items',
  sort: 'Sort keys, the most significant first; null: keeps the order',
  by: 'Path into the item; empty: the item itself',
  order: 'Sort order; null comes last in both',
  'ListTransformerConfig.limit': 'Maximum number of items; null: unlimited',
  select: 'Template of each output item, with `item` and `index`; null: the item itself',
  template: 'A text with templates',
  parse_as:
    'Whether the output is the rendered text or its parsed JSON. In JSON, inserted values are escaped',
  sources: 'The values to merge, in order; values may be templates',
  'MergeTransformerConfig.strategy':
    'Takes the first value that is not null, concatenates arrays, or merges objects, where later ones win',
  respond: 'Response for the sender of a webhook with `"response": {"mode": "respond"}`; null: none',
  'respond.status': 'Status, 200 to 299 or 400 to 599, or a template of it; 200 by default',
  'respond.content_type': 'Content-Type of the body; a body that is no text is JSON',
  'respond.headers': 'Headers: names that begin with `X-`, and `Retry-After`; values may be templates',
  'respond.body': 'Body, a value with templates; the output of the node by default',

  // Guardrails.
  'GuardrailsNodeConfig.input': 'The text to check, or a template of it',
  context: 'The text that the input must be grounded in; null: results of searching the knowledge bases',
  'GuardrailsNodeConfig.checks': 'The checks; those by a model run last, unless the text is already blocked',
  on_check_error: 'When a check cannot be executed: fails the node',
  'GuardrailsNodeConfig.provider': 'Provider of the model for checks; null when no check needs a model',
  'GuardrailsNodeConfig.model': 'Model for checks; null when no check needs a model',
  action: 'Effect of a finding: blocks the text, masks the finding, or only reports it',
  entities: 'Kinds of personal data to find',
  keywords: 'Words and phrases to find',
  case_sensitive: 'Whether upper and lower case are distinguished',
  pattern: 'Regular expression in RE2 syntax',
  expect: 'Whether the text must match or must not match',
  'UrlsGuardrailCheck.allowed_hosts': 'Allowed hosts of URLs; empty: none',
  allowed_schemes: 'Allowed schemes of URLs',
  allow_subdomains: 'Whether subdomains of allowed hosts are allowed',
  max: 'Maximum number of characters',
  categories: 'Categories of harmful content; empty: the common ones',
  threshold: 'Score from 0 to 1: a finding at or above it; for `grounding`, below it',
  topics: 'Allowed topics',
  instructions: 'Description of texts that are findings',
  'GroundingGuardrailCheck.knowledge_base_ids':
    'Ids of the knowledge bases to search; by default `context` of the node is used',
};
