/** Ids and times of the OpenAPI examples: one organization, its people and one workflow. */

export const IDS = {
  organization: '7b0c9d52-6f0e-4c58-9a53-5f2f6f3d1a01',
  user: '2f6b1c0e-3a77-4d0c-8a43-0a5d6ad0b202',
  colleague: 'c1f9c6a4-51a8-4f36-9d0e-7d5d2f0c3303',
  invitation: '5f9d1f3b-7f0a-4b57-8a6c-1c8e0c1d4404',
  apiKey: '90d3a5d8-9c4f-4b1e-8d57-6a4a3e2f5505',
  workflow: 'a3e2d1c0-4b5a-4c6d-8e7f-9a0b1c2d6606',
  deployment: 'd4c3b2a1-5c6d-4e7f-8091-a2b3c4d57707',
  olderDeployment: 'e5d4c3b2-6d7e-4f80-91a2-b3c4d5e68808',
  run: '0a1b2c3d-4e5f-4061-8273-849506a79909',
  runPk: '1b2c3d4e-5f60-4172-8384-9506a7b8aa0a',
  step: '2c3d4e5f-6071-4283-9495-06a7b8c9bb0b',
  thread: '3d4e5f60-7182-4394-85a6-a7b8c9dacc0c',
  chat: '4e5f6071-8293-44a5-96b7-b8c9daebdd0d',
  message: '5f607182-93a4-45b6-87c8-c9daebfcee0e',
  credential: '718293a4-b5c6-4d87-a9ea-ebfc0d1e0010',
  schedule: '8293a4b5-c6d7-4e98-baeb-fc0d1e2f1111',
  answer: '60718293-a4b5-46c7-98d9-daebfc0dff0f',
  knowledgeBase: '718293a4-b5c6-47d8-89ea-ebfc0d1e0010',
  document: '8293a4b5-c6d7-48e9-9afb-fc0d1e2f1111',
  chunk: '93a4b5c6-d7e8-49fa-8b0c-0d1e2f302212',
  hook: 'a4b5c6d7-e8f9-4a0b-8c1d-1e2f30413213',
  delivery: 'b5c6d7e8-f90a-4b1c-9d2e-2f3041524314',
  endpoint: 'c6d7e8f9-0a1b-4c2d-8e3f-304152635415',
  alert: 'f90a1b2c-3d4e-4f50-8162-637485968718',
  effectRule: '0a1b2c3d-4e5f-4061-8273-8495a6b7c8d9',
  serviceAccount: '0a1b2c3d-4e5f-4a61-9273-748596879819',
  errorWorkflow: 'e8f90a1b-2c3d-4e4f-8051-526374857617',
  event: 'd7e8f90a-1b2c-4d3e-9f40-415263746516',
} as const;

export const AT = '2026-11-02T09:30:00.000Z';
export const LATER = '2026-11-02T09:30:01.250Z';
