export { createNode, deleteNode, editNode } from './change-node.ts'
export { listNodes } from './list.ts'
export { openPanelKey } from './panel-key.ts'
export { type NodeTools, testConnection } from './test-connection.ts'
