-- SPDX-License-Identifier: Apache-2.0
-- What Neovim, set up as sim/cli/README.md says, shows of network.yaml in its folder: what is marked,
-- what can stand in its last line, and what the word at its begin means.
vim.cmd("edit network.yaml")
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20)
for _, found in ipairs(vim.diagnostic.get(0)) do
  print((found.lnum + 1) .. ": " .. found.message)
end

local function ask(what, line, column)
  local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. what, {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = {line = line, character = column},
  }, 20000)
  for _, answer in pairs(answers or {}) do return answer.result end
end

local labels = {}
for _, item in ipairs(ask("completion", vim.fn.line("$") - 1, 0).items) do
  table.insert(labels, item.label)
end
print("completes " .. table.concat(labels, " "))
print("hover: " .. vim.split(ask("hover", 0, 1).contents.value, "\n")[1])
print("omnifunc " .. vim.bo.omnifunc)
