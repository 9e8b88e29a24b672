-- Drives a real Neovim through the whole path and writes what it saw as JSON to $SELFWARE_RESULT.
-- $SELFWARE_SETUP: the set-up from docs/editors.md, or empty for a bare client. $SELFWARE_CMD: the server's command line as JSON.

local result = { version = tostring(vim.version().major) .. '.' .. vim.version().minor, asked = {}, steps = {} }
local file = os.getenv('SELFWARE_FILE')
local setup = os.getenv('SELFWARE_SETUP')
local cmd = vim.json.decode(os.getenv('SELFWARE_CMD'))
local wait = 90000

local function finish(code)
  local out = io.open(os.getenv('SELFWARE_RESULT'), 'w')
  out:write(vim.json.encode(result))
  out:close()
  vim.cmd(code == 0 and 'qall!' or 'cquit')
end

local function text_of_buffer()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'
end

local function text_on_disk()
  local handle = io.open(file, 'rb')
  local text = handle:read('*a')
  handle:close()
  return text
end

local function wait_for(what, holds)
  if not vim.wait(wait, holds, 20) then
    error('waited in vain for ' .. what .. '; messages: ' .. vim.api.nvim_exec('messages', true))
  end
  table.insert(result.steps, what)
end

local function execute(command)
  local answer
  vim.lsp.buf_request(0, 'workspace/executeCommand', { command = command, arguments = {} }, function(err, outcome)
    answer = outcome or { ok = false, message = vim.inspect(err) }
  end)
  wait_for('the answer to ' .. command, function() return answer ~= nil end)
  return answer
end

-- A person at the keyboard: takes the first code action, looks at the diff, then applies.
vim.ui.select = function(items, options, on_choice)
  result.offered = options.format_item and options.format_item(items[1]) or tostring(items[1])
  on_choice(items[1], 1)
end
vim.fn.inputlist = function(lines)
  table.insert(result.asked, table.concat(lines, '\n'))
  local wanted = #result.asked == 1 and 'Show diff' or 'Apply'
  for index, line in ipairs(lines) do
    if line:match('^%d+%. ' .. wanted .. '$') then return index - 2 end
  end
  return 0
end

local ok, trouble = xpcall(function()
  vim.o.swapfile = false
  vim.g.selfware_cmd = cmd
  if setup ~= '' then
    vim.cmd('luafile ' .. setup)
    vim.cmd('filetype on')
    vim.cmd('edit ' .. file)
  else
    vim.cmd('edit ' .. file)
    local id = vim.lsp.start_client({ name = 'selfware', cmd = cmd, root_dir = os.getenv('SELFWARE_ROOT') })
    vim.lsp.buf_attach_client(0, id)
  end
  result.before = text_of_buffer()
  wait_for('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  result.diagnostics = vim.tbl_map(function(found) return { line = found.lnum + 1, source = found.source, code = found.code } end, vim.diagnostic.get(0))

  local target = vim.tbl_filter(function(found) return found.code == os.getenv('SELFWARE_RULE') end, vim.diagnostic.get(0))[1]
  vim.api.nvim_win_set_cursor(0, { target.lnum + 1, target.col })
  vim.lsp.buf.code_action()
  wait_for('the change in the buffer', function() return text_of_buffer() ~= result.before end)
  wait_for('the change on disk', function() return text_on_disk() == text_of_buffer() end)
  wait_for('the end of the application', function() return vim.api.nvim_exec('messages', true):match('Applied: ') ~= nil end)
  result.applied = { buffer = text_of_buffer(), disk = text_on_disk(), modified = vim.bo.modified }

  if setup ~= '' then
    vim.cmd('SelfwareRollback')
  else
    result.rollback = execute('selfware.server.rollback')
  end
  wait_for('the rollback', function() return text_on_disk() == result.before and text_of_buffer() == result.before end)
  result.rolledBack = { modified = vim.bo.modified }
end, debug.traceback)

result.messages = vim.api.nvim_exec('messages', true)
if not ok then result.error = tostring(trouble) end
finish(ok and 0 or 1)
