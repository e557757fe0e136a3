import type { Tool } from '@lensforge/tools';
import { type DynamicModule, Module } from '@nestjs/common';
import { McpController, servedTools } from './mcp.controller.js';

@Module({})
export class McpModule {}

export const mcpModule = (tools: readonly Tool[]): DynamicModule => ({
  module: McpModule,
  controllers: [McpController],
  providers: [{ provide: servedTools, useValue: tools }],
});
