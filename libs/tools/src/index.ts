export { catalogue, groupNames, isToolset, selectTools, tools, toolsetNames, toolsets } from './catalogue.js';
export type { ToolSelection } from './catalogue.js';
export type { Tool, ToolClass, ToolDefinition } from './tool.js';
export { tool } from './tool.js';
export type { ToolErrorCode } from './tool-errors.js';
export { Refusal, codeIn, toolErrorCodes } from './tool-errors.js';
export { refuseWithoutPermission } from './tool-permission.js';
export type { ToolResult } from './tool-result.js';
