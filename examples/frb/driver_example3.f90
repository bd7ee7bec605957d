! Example 3 of the FRB package: a free body in several steps of frb_step_gauss, its attitude a matrix. Beside the drivers of
! the paper: the integral of the third kind is taken by Gauss nodes, as many as the last number of the input.
! Reads init_example3.dat: h, the final time, the momentum, the attitude column by column, the moments of inertia, nodes.
! Writes out_example3.dat: momentum, attitude and time, at the start and after each step. One number on each line.
program driver_example3
  implicit none
  external :: frb_step_gauss, frb_message
  double precision :: h, Tfin, aInert(3), Pi(3), Q(3, 3), Qout(3, 3), Piout(3)
  integer :: i, np
  character(len=200) :: message = ' '

  open (10, file='init_example3.dat', status='old', action='read')
  read (10, *) h, Tfin, Pi, Q, aInert, np
  close (10)

  open (20, file='out_example3.dat', status='replace', action='write')
  write (20, '(g26.17)') Pi, Q, 0d0
  do i = 1, nint(Tfin/h)
    call frb_step_gauss(Piout, Qout, h, aInert, Pi, Q, np)
    Pi = Piout
    Q = Qout
    call frb_message(message)
    if (message /= ' ') exit
    write (20, '(g26.17)') Pi, Q, i*h
  end do
  close (20)

  if (message /= ' ') then
    print '(2a)', 'driver_example3: ', trim(message)
    stop 1
  end if
end program driver_example3
