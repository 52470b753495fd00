#pragma once
// How often this program allocated with new.
long allocations();
