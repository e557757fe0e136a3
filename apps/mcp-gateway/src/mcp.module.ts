import type { Tool } from '@lensforge/tools';
import { type DynamicModule, Module } from '@nestjs/common';
import { McpController, servedTasks, servedTools } from './mcp.controller.js';
import type { Tasks } from './tasks/task.js';

@Module({})
export class McpModule {}

export const mcpModule = (tools: readonly Tool[], tasks: Tasks): DynamicModule => ({
  module: McpModule,
  controllers: [McpController],
  providers: [
    { provide: servedTools, useValue: tools },
    { provide: servedTasks, useValue: tasks },
  ],
});
