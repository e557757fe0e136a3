import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { HttpDoor, servedTools } from './http-door.js';
import type { Tool } from './tool.js';

@Module({})
export class McpModule {}

export const mcpModule = (tools: readonly Tool[]): DynamicModule => ({
  module: McpModule,
  controllers: [HttpDoor],
  providers: [{ provide: servedTools, useValue: tools }],
});
